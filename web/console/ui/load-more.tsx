import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from './button.tsx';
import { ErrorState } from './states.tsx';
import styles from './states.module.css';

interface LoadMoreProps {
  readonly query: Pick<
    UseInfiniteQueryResult,
    'error' | 'fetchNextPage' | 'hasNextPage' | 'isFetchNextPageError' | 'isFetchingNextPage'
  >;
}

/** Loads the next page of a list, or says why that failed. */
export function LoadMore({ query }: LoadMoreProps) {
  const { common } = useMessages();
  const load = () => void query.fetchNextPage();
  if (query.isFetchNextPageError) {
    return <ErrorState error={query.error} onRetry={load} />;
  }
  return (
    query.hasNextPage && (
      <div className={styles.more}>
        <Button isPending={query.isFetchingNextPage} onPress={load}>
          {common.loadMore}
        </Button>
      </div>
    )
  );
}
