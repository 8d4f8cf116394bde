import type { Rate } from './endpoint/rate.ts';

/** What a spending got: `granted` is at most the cost asked for, `resetsAt` is in epoch milliseconds. */
export interface Spent {
  readonly granted: number;
  readonly remaining: number;
  readonly resetsAt: number;
}

/**
 * What becomes of a spending while a store apart from the database cannot be reached: counted in
 * this process alone (a key's request is worth serving), or refused with SERVICE_UNAVAILABLE (a
 * public route must not open to everybody because Redis is away).
 */
export type WhenStoreIsDown = 'count-here' | 'refuse';

/**
 * Counts spendings per bucket in windows that open with a bucket's first spending. No window ever
 * grants more than its limit, across every process that shares the store; a cost above what is
 * left gets what is left. A failing database rejects with its own error.
 */
export interface RateLimiter {
  /** `whenStoreIsDown` is `count-here` unless given. */
  consume(
    bucket: string,
    rate: Rate,
    cost: number,
    whenStoreIsDown?: WhenStoreIsDown,
  ): Promise<Spent>;
  close(): Promise<void>;
}
