import type { RateLimiter, Spent, WhenStoreIsDown } from '#core/rate-limiter.ts';
import { bucketKey } from './bucket-key.ts';
import { coalesce } from './coalesce.ts';
import { withFallback, type RateLimitLog } from './fallback.ts';
import { openMemoryStore } from './stores/memory-store.ts';
import { openPostgresStore, type Query } from './stores/postgres-store.ts';
import type { Consumption } from './rate-store.ts';
import { openRedisStore } from './stores/redis-store.ts';

/** `memory` counts in one process; the others hold limits across processes. */
export type RateStoreName = 'memory' | 'postgres' | `redis://${string}` | `rediss://${string}`;

interface RateLimiterOptions {
  readonly store: RateStoreName;
  /** Asked by the store `postgres` alone. */
  readonly query: Query;
  readonly log: RateLimitLog;
}

interface Limiter {
  consume(consumption: Consumption, whenDown: WhenStoreIsDown): Promise<Spent>;
  close(): Promise<void>;
}

/** Opens at once; a Redis is connected to in the background. `close` ends that connection only. */
export function openRateLimiter(options: RateLimiterOptions): RateLimiter {
  const till = openTill(options);
  return {
    consume: (bucket, { limit, windowMs }, cost, whenStoreIsDown = 'count-here') =>
      till.consume({ bucket: bucketKey(bucket), limit, windowMs, cost }, whenStoreIsDown),
    close: () => till.close(),
  };
}

function openTill({ store: name, query, log }: RateLimiterOptions): Limiter {
  if (name === 'memory') {
    const count = openMemoryStore();
    return { consume: async (consumption) => count(consumption), close: async () => {} };
  }
  if (name === 'postgres') {
    // Without its database a request is refused anyway, so the error may as well say so.
    const store = openPostgresStore(query);
    return { consume: coalesce(store), close: () => store.close() };
  }
  const store = openRedisStore(name);
  return { consume: withFallback(coalesce(store), log), close: () => store.close() };
}
