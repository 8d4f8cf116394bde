import { Button } from 'react-aria-components/Button';
import { Link, useLocation } from 'wouter';
import { usePendingApprovals } from '../approvals/approval-queries.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Count } from '../ui/badge.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useIsPhone } from '../ui/use-is-phone.ts';
import { usePages, type PageId } from './pages.ts';
import styles from './navigation.module.css';

type Counts = Partial<Record<string, number>>;
type Page = ReturnType<typeof usePages>[number];

/** How many pages fit beside each other on a phone, and those that come first there. */
const FIT_ON_PHONE = 5;
const FIRST_ON_PHONE: ReadonlySet<PageId> = new Set(['inbox', 'contacts', 'calendar', 'tasks']);

/**
 * Links to the pages that the user may open. On a phone it is a bar at the bottom of the screen: pages that do
 * not fit are in a menu, and their links beyond the edge of the bar.
 */
export function Navigation({ unread }: { readonly unread: number }) {
  const counts: Counts = { inbox: unread, approvals: usePendingApprovals() };
  const { nav } = useMessages();
  const pages = usePages();
  const [path] = useLocation();
  const isShort = useIsPhone() && pages.length > FIT_ON_PHONE;
  const isFirst = ({ id }: Page) => FIRST_ON_PHONE.has(id);
  const others = isShort ? pages.filter((page) => !isFirst(page)) : [];
  const inOrder = isShort ? [...pages.filter(isFirst), ...others] : pages;
  const isCurrent = ({ id }: Page) => path === `/${id}` || path.startsWith(`/${id}/`);
  return (
    <nav aria-label={nav.main} className={cx(styles.nav, isShort && styles.short)}>
      <ul role="list" className={styles.list}>
        {inOrder.map((page) => (
          <li key={page.id}>
            <Link
              href={`/${page.id}`}
              className={styles.link}
              aria-current={isCurrent(page) ? 'page' : undefined}
            >
              <Icon name={page.icon} />
              <span className={styles.text}>{nav[page.id]}</span>
              {counts[page.id] !== undefined && (
                <>
                  {' '}
                  <Count value={counts[page.id] ?? 0} />
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {isShort && <MoreMenu pages={others} counts={counts} isCurrent={isCurrent} />}
    </nav>
  );
}

interface MoreMenuProps {
  readonly pages: readonly Page[];
  readonly counts: Counts;
  readonly isCurrent: (page: Page) => boolean;
}

function MoreMenu({ pages, counts, isCurrent }: MoreMenuProps) {
  const { nav } = useMessages();
  const [, navigate] = useLocation();
  return (
    <Menu
      label={nav.more}
      placement="top end"
      trigger={
        <Button className={cx(styles.link, pages.some(isCurrent) && styles.current)}>
          <Icon name="more" />
          <span className={styles.text}>{nav.more}</span>
        </Button>
      }
    >
      {pages.map(({ id, icon }) => (
        <MenuItem
          key={id}
          icon={icon}
          {...(counts[id] && { hint: String(counts[id]) })}
          onAction={() => navigate(`/${id}`)}
        >
          {nav[id]}
        </MenuItem>
      ))}
    </Menu>
  );
}
