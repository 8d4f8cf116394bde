import type { Spent } from '#core/rate-limiter.ts';
import type { Consumption } from './rate-store.ts';

/** So that no statement holds the rows of a whole flood at once. */
const BUCKETS_PER_BATCH = 500;

/** Spendings of one bucket and rate that travel as one, in the order they came. */
export interface Share<S extends Consumption> extends Consumption {
  cost: number;
  readonly members: S[];
}

/**
 * Takes from the front of the queue what one round trip may carry. A bucket asked for with a second
 * rate (its key was just edited) ends the batch, so that nobody overtakes.
 */
export function gather<S extends Consumption>(
  queue: readonly S[],
): { shares: Share<S>[]; rest: S[] } {
  const shares = new Map<string, Share<S>>();
  let taken = 0;
  for (const consumption of queue) {
    const share = shares.get(consumption.bucket) ?? emptyShare(consumption);
    if (!hasRoomFor(consumption, share, shares.size)) {
      break;
    }
    join(share, consumption);
    shares.set(consumption.bucket, share);
    taken += 1;
  }
  return { shares: [...shares.values()], rest: queue.slice(taken) };
}

const emptyShare = <S extends Consumption>({ bucket, limit, windowMs }: S): Share<S> => ({
  bucket,
  limit,
  windowMs,
  cost: 0,
  members: [],
});

const hasRoomFor = (
  consumption: Consumption,
  share: Share<Consumption>,
  buckets: number,
): boolean =>
  share.members.length === 0
    ? buckets < BUCKETS_PER_BATCH
    : share.limit === consumption.limit && share.windowMs === consumption.windowMs;

function join<S extends Consumption>(share: Share<S>, consumption: S): void {
  // More than the limit is never granted, and the sum has to fit the store's integers.
  share.cost = Math.min(share.cost + consumption.cost, share.limit);
  share.members.push(consumption);
}

/** Hands a share's grant out, first come first served, as if each member had come alone. */
export function distribute(members: readonly Consumption[], whole: Spent): Spent[] {
  let left = whole.granted;
  return members.map(({ cost }) => {
    const granted = Math.min(cost, left);
    left -= granted;
    return { granted, remaining: whole.remaining + left, resetsAt: whole.resetsAt };
  });
}
