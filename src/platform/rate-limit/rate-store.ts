import type { Rate } from '#core/endpoint/rate.ts';
import type { Spent } from '#core/rate-limiter.ts';

/** A wish to take `cost`, a whole number, out of the bucket's current window. */
export interface Consumption extends Rate {
  readonly bucket: string;
  readonly cost: number;
}

/**
 * Where windows are counted. `spendMany` takes distinct buckets, costs no higher than their limits,
 * and answers in the order asked; all of them are spent or, when it throws, perhaps some.
 */
export interface RateStore {
  consumeMany(consumptions: readonly Consumption[]): Promise<readonly Spent[]>;
  close(): Promise<void>;
}
