import type { ComponentType, ReactNode } from 'react';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useForeignZone } from '../i18n/zone.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import { usePages, type PageId } from './pages.ts';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Before the title, such as the way back. */
  readonly before?: ReactNode;
  /** Beside the title, such as a count. */
  readonly hint?: ReactNode;
  /** Whether the page names the zone of its times itself, or has none of the sub-account. */
  readonly hidesZone?: boolean;
  /** Buttons at the end of the bar. */
  readonly actions?: ReactNode;
  /** A second bar, with search and filters. */
  readonly filters?: ReactNode;
  readonly children: ReactNode;
}

/** A page with a bar at its top. */
export const Page = ({
  title,
  before,
  hint,
  hidesZone = false,
  actions,
  filters,
  children,
}: PageProps) => (
  <div className={styles.page}>
    <header className={styles.bar}>
      {before}
      <h1 className={styles.title}>{title}</h1>
      {hint && <span className={styles.hint}>{hint}</span>}
      {!hidesZone && <ZoneNote />}
      <div className={styles.actions}>{actions}</div>
    </header>
    {filters && <div className={styles.filters}>{filters}</div>}
    <div className={styles.content}>{children}</div>
  </div>
);

/** Names the zone of the times on a page, unless it is the browser's too. */
export function ZoneNote() {
  const { shell } = useMessages();
  const zone = useForeignZone();
  return zone && <span className={styles.hint}>{shell.timesIn(zone)}</span>;
}

/** Shown while a page's script is loaded. */
export const PageFallback = () => (
  <div className={styles.page}>
    <div className={styles.bar} />
    <SkeletonRows />
  </div>
);

/** Returns a page for admins, or for integrators. Other roles come there by its address only, and see that an admin can help. */
export const forAdmins = <P extends object>(page: PageId, Content: ComponentType<P>) =>
  function AdminPage(props: P) {
    const isOpen = usePages().some(({ id }) => id === page);
    return isOpen ? <Content {...props} /> : <AdminsOnly page={page} />;
  };

function AdminsOnly({ page }: { readonly page: PageId }) {
  const { nav, shell } = useMessages();
  const { membership } = usePlace();
  return (
    <Page title={nav[page]}>
      <EmptyState icon="key" title={shell.adminsOnly}>
        {shell.adminsOnlyText(membership.subAccountName)}
      </EmptyState>
    </Page>
  );
}

export function UnknownPage() {
  const { shell } = useMessages();
  return (
    <EmptyState icon="search" title={shell.notHere}>
      {shell.notHereText}
    </EmptyState>
  );
}
