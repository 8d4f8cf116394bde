import { useQuery } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import type { Point } from '../ui/plot-figure.tsx';

interface Examination {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly fix?: string;
}

export const SERIES = ['requests', 'errors', 'latencyMs', 'deliveries', 'queueDepth'] as const;
type SeriesName = (typeof SERIES)[number];

export interface Health {
  readonly version: string;
  readonly checks: readonly Examination[];
  /** Webhook deliveries; null while a node cannot be queried. */
  readonly waitingDeliveries: number | null;
  readonly series: Readonly<Record<SeriesName, readonly Point[]>>;
}

export const RANGES = ['day', 'week'] as const;
export type Range = (typeof RANGES)[number];

const REFRESH_MS = 60_000;

/** Returns the state of the installation, again every minute. */
export const useHealth = (range: Range) =>
  useQuery({
    queryKey: ['health', range],
    queryFn: ({ signal }) =>
      consoleCalls().data<Health>('GET', '/api/health', {
        query: { range },
        options: { signal },
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: (previous) => previous,
  });
