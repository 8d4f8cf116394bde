import type { Rate } from '#core/endpoint/rate.ts';
import type { Spent } from '#core/rate-limiter.ts';

/** One keeps the order of requests across batches; two were not faster. */
const BATCHES_IN_FLIGHT = 1;

interface WaitingCaller extends Consumption {
  resolve(spent: Spent): void;
  reject(error: unknown): void;
}

/**
 * Consumes from a store in batches: a single request is sent at once, those that arrive during a
 * round trip share the next one. Rejects with the store's error.
 */
export function coalesce(store: RateStore): (consumption: Consumption) => Promise<Spent> {
  let queue: WaitingCaller[] = [];
  let inFlight = 0;

  function sendQueue(): void {
    while (inFlight < BATCHES_IN_FLIGHT && queue.length > 0) {
      const { shares, rest } = gather(queue);
      queue = rest;
      inFlight += 1;
      void settle(store, shares).finally(() => {
        inFlight -= 1;
        sendQueue();
      });
    }
  }

  return (consumption) =>
    new Promise((resolve, reject) => {
      queue.push({ ...consumption, resolve, reject });
      sendQueue();
    });
}

async function settle(store: RateStore, shares: readonly Share<WaitingCaller>[]): Promise<void> {
  try {
    const wholes = await store.consumeMany(shares);
    for (const [index, { bucket, members }] of shares.entries()) {
      const whole = wholes[index];
      if (!whole) {
        throw new Error(`the rate store returned no result for ${bucket}`);
      }
      const parts = distribute(members, whole);
      members.forEach((member, place) => member.resolve(parts[place]!));
    }
  } catch (error) {
    // Members that were resolved stay resolved.
    for (const member of shares.flatMap(({ members }) => members)) {
      member.reject(error);
    }
  }
}

/** Limits the rows that one statement locks. */
const BUCKETS_PER_BATCH = 500;

/** Requests for one bucket and rate that are sent as one, in order of arrival. */
interface Share<S extends Consumption> extends Consumption {
  cost: number;
  readonly members: S[];
}

/**
 * Takes one batch from the front of the queue. A bucket that comes with a second rate (its key was
 * just edited) ends the batch, which keeps the order.
 */
function gather<S extends Consumption>(queue: readonly S[]): { shares: Share<S>[]; rest: S[] } {
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
  // More than the limit is never granted, and the sum must fit the store's integers.
  share.cost = Math.min(share.cost + consumption.cost, share.limit);
  share.members.push(consumption);
}

/** Divides a share's grant in order of arrival, as if each member had been sent alone. */
function distribute(members: readonly Consumption[], whole: Spent): Spent[] {
  let left = whole.granted;
  return members.map(({ cost }) => {
    const granted = Math.min(cost, left);
    left -= granted;
    return { granted, remaining: whole.remaining + left, resetsAt: whole.resetsAt };
  });
}

/** A request to consume `cost` (an integer) from a bucket's window. */
export interface Consumption extends Rate {
  readonly bucket: string;
  readonly cost: number;
}

/**
 * Where windows are counted. `consumeMany` takes distinct buckets with costs up to their limits and
 * returns results in the same order; when it throws, some may have been consumed.
 */
export interface RateStore {
  consumeMany(consumptions: readonly Consumption[]): Promise<readonly Spent[]>;
  close(): Promise<void>;
}
