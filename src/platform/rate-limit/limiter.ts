import { createHash } from 'node:crypto';
import { Fault } from '#core/fault.ts';
import type { RateLimiter, Spent, WhenStoreIsDown } from '#core/rate-limiter.ts';
import { coalesce, type Consumption } from './coalesce.ts';
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
  return {
    consume: (bucket, { limit, windowMs }, cost, whenStoreIsDown = 'count-here') =>
      limiter.consume({ bucket: bucketKey(bucket), limit, windowMs, cost }, whenStoreIsDown),
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
    probeAt = Date.now() + PROBE_INTERVAL_MS;
    if (downSince === undefined) {
      downSince = Date.now();
      log.warn({ err: error }, 'the rate limit store is down: counting in this process alone');
    }
  }

  function noteSuccess(): void {
    if (downSince !== undefined) {
      log.info({ downMs: Date.now() - downSince }, 'the rate limit store is back');
      downSince = undefined;
    }
  }

  return async (consumption: Consumption, whenDown: WhenStoreIsDown): Promise<Spent> => {
    if (downSince !== undefined && Date.now() < probeAt) {
      return withoutStore(consumption, whenDown, countLocally);
    }
    probeAt = Date.now() + PROBE_INTERVAL_MS; // in an outage, only this request probes
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
