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
