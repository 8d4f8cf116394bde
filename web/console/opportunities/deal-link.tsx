import { Link, useSearchParams } from 'wouter';
import { cx } from '../ui/cx.ts';
import type { ListedDeal } from './opportunity-queries.ts';
import styles from './opportunities.module.css';

interface DealLinkProps {
  readonly deal: ListedDeal;
  readonly className?: string | undefined;
}

/** The name of a deal, which opens its editor above the view that is shown. */
export function DealLink({ deal: { id, name }, className }: DealLinkProps) {
  const [params] = useSearchParams();
  const query = new URLSearchParams(params);
  query.set('deal', id);
  return (
    <Link href={`/opportunities?${query}`} className={cx(styles.link, className)} draggable={false}>
      {name}
    </Link>
  );
}
