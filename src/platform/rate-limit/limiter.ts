import { createHash } from 'node:crypto';
import { Fault } from '#core/fault.ts';
import type {
  RateLimiter,
  Spent,
  WhenStoreIsDown,
  Consumption,
  RateStore,
} from '#core/rate-limit.ts';
import { openMemoryStore } from './stores/memory.ts';
import { openPostgresStore, type Query } from './stores/postgres.ts';
import { openRedisStore } from './stores/redis.ts';

/** `memory` counts in one process; the others hold limits across processes. */
export type RateStoreName = 'memory' | 'postgres' | `redis://${string}` | `rediss://${string}`;

interface RateLimiterOptions {
  readonly store: RateStoreName;
  /** Used by the store `postgres` only. */
  readonly query: Query;
  readonly log: RateLimitLog;
}

interface Limiter {
  consume(consumption: Consumption, whenDown: WhenStoreIsDown): Promise<Spent>;
  close(): Promise<void>;
}

/** Opens without waiting; Redis is connected to in the background. `close` ends that connection. */
export function openRateLimiter(options: RateLimiterOptions): RateLimiter {
  const limiter = openStore(options);
  const countHere = openMemoryStore();
  return {
    consume: (bucket, { limit, windowMs }, cost, whenStoreIsDown = 'count-here') =>
      limiter.consume({ bucket: bucketKey(bucket), limit, windowMs, cost }, whenStoreIsDown),
    consumeHere: (bucket, { limit, windowMs }, cost) =>
      countHere({ bucket: bucketKey(bucket), limit, windowMs, cost }),
    close: () => limiter.close(),
  };
}

function openStore({ store: name, query, log }: RateLimiterOptions): Limiter {
  if (name === 'memory') {
    const count = openMemoryStore();
    return { consume: async (consumption) => count(consumption), close: async () => {} };
  }
  if (name === 'postgres') {
    // Without the database every request is refused anyway: its error is passed on.
    const store = openPostgresStore(query);
    return { consume: coalesce(store), close: () => store.close() };
  }
  const store = openRedisStore(name);
  return { consume: withFallback(coalesce(store), log), close: () => store.close() };
}

/** While the store is down, one request per second probes whether it is back. */
const PROBE_INTERVAL_MS = 1_000;

/** The part of a pino logger used here. */
interface RateLimitLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/**
 * Hides an outage of the store from callers: requests are counted in this process or refused,
 * depending on `whenDown`. Logs one line when an outage begins and one when it ends.
 */
function withFallback(consume: (consumption: Consumption) => Promise<Spent>, log: RateLimitLog) {
  const countLocally = openMemoryStore();
  let downSince: number | undefined;
  let probeAt = 0;

  function noteFailure(error: unknown): void {
    probeAt = performance.now() + PROBE_INTERVAL_MS;
    if (downSince === undefined) {
      downSince = performance.now();
      log.warn({ err: error }, 'the rate limit store is down: counting in this process alone');
    }
  }

  function noteSuccess(): void {
    if (downSince !== undefined) {
      log.info(
        { downMs: Math.round(performance.now() - downSince) },
        'the rate limit store is back',
      );
      downSince = undefined;
    }
  }

  return async (consumption: Consumption, whenDown: WhenStoreIsDown): Promise<Spent> => {
    if (downSince !== undefined && performance.now() < probeAt) {
      return withoutStore(consumption, whenDown, countLocally);
    }
    probeAt = performance.now() + PROBE_INTERVAL_MS; // in an outage, only this request probes
    try {
      const spent = await consume(consumption);
      noteSuccess();
      return spent;
    } catch (error) {
      noteFailure(error);
      return withoutStore(consumption, whenDown, countLocally);
    }
  };
}

function withoutStore(
  consumption: Consumption,
  whenDown: WhenStoreIsDown,
  countLocally: (consumption: Consumption) => Spent,
): Spent {
  if (whenDown === 'refuse') {
    const retry = { 'retry-after': String(PROBE_INTERVAL_MS / 1_000) };
    const message = 'the rate limit store is down; try again later';
    throw new Fault('SERVICE_UNAVAILABLE', message, undefined, retry);
  }
  return countLocally(consumption);
}

const STORABLE = /^[\x21-\x7e]{1,160}$/;

/**
 * Returns a name for the bucket that every store accepts. Names contain input of callers, such as a
 * slug: PostgreSQL rejects NUL and index entries above 2,704 bytes, and one rejected name would fail
 * the whole batch.
 */
const bucketKey = (bucket: string): string =>
  STORABLE.test(bucket) ? bucket : `sha256:${createHash('sha256').update(bucket).digest('hex')}`;

/** A tick that handles responses of lists takes longer; the store would be idle meanwhile. */
const LONG_TICK_MS = 0.2;

/** One keeps the order of requests across batches; two were not faster. */
const BATCHES_IN_FLIGHT = 1;

interface WaitingCaller extends Consumption {
  resolve(spent: Spent): void;
  reject(error: unknown): void;
}

/**
 * Consumes from a store in batches: requests of one tick of the event loop share a round trip, and so do
 * those that arrive during one. `clock` is in milliseconds. Rejects with the store's error.
 */
export function coalesce(
  store: RateStore,
  clock: () => number = () => performance.now(),
): (consumption: Consumption) => Promise<Spent> {
  let queue: WaitingCaller[] = [];
  let inFlight = 0;
  let dueSince: number | undefined;

  /**
   * Requests that arrive in the same tick of the event loop share a batch: it is sent at the end of the
   * tick, or within it if the tick is long.
   */
  function schedule(): void {
    const now = clock();
    if (dueSince === undefined) {
      dueSince = now;
      setImmediate(sendQueue);
    } else if (now - dueSince > LONG_TICK_MS) {
      sendQueue();
    }
  }

  function sendQueue(): void {
    dueSince = undefined;
    while (inFlight < BATCHES_IN_FLIGHT && queue.length > 0) {
      const { shares, rest } = gather(queue);
      queue = rest;
      inFlight += 1;
      void settle(store, shares).finally(() => {
        inFlight -= 1;
        schedule();
      });
    }
  }

  return (consumption) =>
    new Promise((resolve, reject) => {
      queue.push({ ...consumption, resolve, reject });
      schedule();
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
