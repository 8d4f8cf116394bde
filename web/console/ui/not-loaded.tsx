import { SkeletonRows } from './skeleton.tsx';
import { ErrorState } from './states.tsx';

interface NotLoadedProps {
  readonly error: Error | null;
  readonly onRetry?: () => void;
  /** The rows that are expected. */
  readonly count?: number;
}

/**
 * What a page shows until it has data: rows in its size, or what failed. Data that cannot be read again
 * stays on the page, and with it what the user has typed.
 */
export const NotLoaded = ({ error, onRetry, count }: NotLoadedProps) =>
  error === null ? (
    <SkeletonRows {...(count !== undefined && { count })} />
  ) : (
    <ErrorState error={error} {...(onRetry && { onRetry })} />
  );

interface LoadStateProps extends Pick<NotLoadedProps, 'count'> {
  readonly query: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
}

/** What stands above data: rows in its size until it arrives, or what failed, also once there is data. */
export const LoadState = ({ query: { data, error, refetch }, ...rows }: LoadStateProps) =>
  (data === undefined || error !== null) && (
    <NotLoaded error={error} onRetry={() => void refetch()} {...rows} />
  );
