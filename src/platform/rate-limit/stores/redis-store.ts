import { sleep } from '#lib/abort.ts';
import type { ClientContext, Redis, RedisOptions, Result } from 'ioredis';
import type { RateStore, Consumption } from '../rate-store.ts';
import { SPEND_LUA } from './redis-script.ts';

/** A request waits no longer for its count than this. */
const COMMAND_TIMEOUT_MS = 500;
/** A connection that took commands and gave nothing back for so long is torn down and made anew. */
const DEAD_SOCKET_MS = 1_000;
const MOST_BETWEEN_RECONNECTS_MS = 1_000;

const OPTIONS = {
  lazyConnect: true,
  protocol: 2, // the script answers with integers, and Redis 5 knows no other
  connectTimeout: COMMAND_TIMEOUT_MS,
  commandTimeout: COMMAND_TIMEOUT_MS,
  socketTimeout: DEAD_SOCKET_MS,
  enableOfflineQueue: false, // away means: refuse at once, do not collect
  autoResendUnfulfilledCommands: false, // what was sent may have been counted
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(50 * 2 ** times, MOST_BETWEEN_RECONNECTS_MS),
  scripts: { consumeRates: { lua: SPEND_LUA } },
} satisfies RedisOptions;

declare module 'ioredis' {
  interface RedisCommander<Context extends ClientContext> {
    /** What `scripts` adds; `keys` says how many of the arguments are keys. */
    consumeRates(keys: number, ...args: (string | number)[]): Result<number[], Context>;
  }
}

/**
 * Counts in Redis or Valkey (one node). Connects in the background, and again whenever the
 * connection is lost; meanwhile `spendMany` rejects, at the latest after half a second.
 */
export function openRedisStore(url: string): RateStore {
  const connected = connect(url);
  connected.catch(() => {}); // said by spendMany
  return {
    async consumeMany(consumptions) {
      const redis = await connected;
      const spent = await redis.consumeRates(consumptions.length, ...argumentsOf(consumptions));
      return consumptions.map((_, index) => {
        const [granted = 0, remaining = 0, resetsAt = 0] = spent.slice(3 * index, 3 * index + 3);
        return { granted, remaining, resetsAt };
      });
    },
    async close() {
      (await connected).disconnect();
    },
  };
}

/** Resolves once the first attempt has succeeded, failed or taken too long. */
async function connect(url: string): Promise<Redis> {
  // Loaded here so that servers without Redis pay nothing for it.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, OPTIONS);
  redis.on('error', () => {}); // said by spendMany; unheard it would be printed
  const attempt = redis.connect().catch(() => {});
  await Promise.race([attempt, sleep(COMMAND_TIMEOUT_MS, undefined, { ref: false })]);
  return redis;
}

const argumentsOf = (consumptions: readonly Consumption[]): (string | number)[] => [
  ...consumptions.map(({ bucket }) => `frontdesk:rate:${bucket}`),
  ...consumptions.flatMap(({ limit, windowMs, cost }) => [limit, windowMs, cost]),
];
