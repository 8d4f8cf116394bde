import { Link, useLocation } from 'wouter';
import { usePendingApprovals } from '../approvals/approval-queries.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Count } from '../ui/badge.tsx';
import { Icon } from '../ui/icons.tsx';
import { usePages } from './pages.ts';
import styles from './navigation.module.css';

/** Links to the pages that the user may open. On a phone it is a strip at the bottom of the screen. */
export function Navigation({ unread }: { readonly unread: number }) {
  const counts: Partial<Record<string, number>> = {
    inbox: unread,
    approvals: usePendingApprovals(),
  };
  const { nav } = useMessages();
  const pages = usePages();
  const [path] = useLocation();
  return (
    <nav aria-label={nav.main} className={styles.nav}>
      <ul role="list" className={styles.list}>
        {pages.map(({ id, icon }) => {
          const isCurrent = path === `/${id}` || path.startsWith(`/${id}/`);
          return (
            <li key={id}>
              <Link
                href={`/${id}`}
                className={styles.link}
                aria-current={isCurrent ? 'page' : undefined}
              >
                <Icon name={icon} />
                <span className={styles.text}>{nav[id]}</span>
                {counts[id] !== undefined && (
                  <>
                    {' '}
                    <Count value={counts[id]} />
                  </>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
