import type { Rate } from './endpoint/rate.ts';

/** `granted` is at most the requested cost; `resetsAt` is in epoch milliseconds. */
export interface Spent {
  readonly granted: number;
  readonly remaining: number;
  readonly resetsAt: number;
}

/**
 * What happens while an external store is unreachable: count in this process alone (requests with a key
 * should be served), or refuse with SERVICE_UNAVAILABLE (public routes must stay limited without Redis).
 */
export type WhenStoreIsDown = 'count-here' | 'refuse';

/**
 * Consumes cost from buckets, in windows that begin with a bucket's first request. No window grants more
 * than its limit, across all processes that share the store; a cost above the rest gets the rest.
 * Rejects with the error of a failing database.
 */
export interface RateLimiter {
  /** The default of `whenStoreIsDown` is `count-here`. */
  consume(
    bucket: string,
    rate: Rate,
    cost: number,
    whenStoreIsDown?: WhenStoreIsDown,
  ): Promise<Spent>;
  close(): Promise<void>;
}
