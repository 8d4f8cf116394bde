import { sleep } from '#lib/abort.ts';
import type { ClientContext, Redis, RedisOptions, Result } from 'ioredis';
import type { Consumption, RateStore } from '#core/rate-limit.ts';

/** The longest time that a request waits for its count. */
const COMMAND_TIMEOUT_MS = 500;
/** A connection that returned nothing for this long is closed and opened again. */
const DEAD_SOCKET_MS = 1_000;
const RECONNECT_DELAY_MAX_MS = 1_000;

/**
 * Consumes from one hash per bucket, atomically, by the server's clock. KEYS are buckets, ARGV are
 * limit, length and cost of each; returns granted, remaining and resets_at of each. A bucket with
 * nothing left is only read: a flood causes no writes. A window that ends later than a new one would was
 * opened by a clock that was ahead: it has ended.
 */
const CONSUME_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local spent = {}
for i, key in ipairs(KEYS) do
  local limit, length, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local window = redis.call('HMGET', key, 'used', 'resets_at')
  local used, resets_at = tonumber(window[1] or 0), tonumber(window[2] or 0)
  if resets_at <= now or resets_at > now + length then
    used, resets_at = 0, now + length
    redis.call('HSET', key, 'used', 0, 'resets_at', string.format('%.0f', resets_at))
    redis.call('PEXPIRE', key, length)
  end
  local granted = math.max(0, math.min(cost, limit - used))
  if granted > 0 then
    redis.call('HINCRBY', key, 'used', granted)
  end
  spent[3 * i - 2], spent[3 * i - 1], spent[3 * i] = granted, math.max(0, limit - used - granted), resets_at
end
return spent`;

const OPTIONS = {
  lazyConnect: true,
  protocol: 2, // the script returns integers, and Redis 5 knows no other protocol
  connectTimeout: COMMAND_TIMEOUT_MS,
  commandTimeout: COMMAND_TIMEOUT_MS,
  socketTimeout: DEAD_SOCKET_MS,
  enableOfflineQueue: false, // while disconnected, reject at once
  autoResendUnfulfilledCommands: false, // a sent command may have been counted
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(50 * 2 ** times, RECONNECT_DELAY_MAX_MS),
  scripts: { consumeRates: { lua: CONSUME_LUA } },
} satisfies RedisOptions;

declare module 'ioredis' {
  interface RedisCommander<Context extends ClientContext> {
    /** Added by `scripts`; `keys` is the number of arguments that are keys. */
    consumeRates(keys: number, ...args: (string | number)[]): Result<number[], Context>;
  }
}

/**
 * Counts in Redis or Valkey (one node). Connects in the background and reconnects when the
 * connection is lost; until then `consumeMany` rejects, after half a second at most.
 */
export function openRedisStore(url: string): RateStore {
  const connected = connect(url);
  connected.catch(() => {}); // reported by consumeMany
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
  // Loaded here: servers without Redis do not need it.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, OPTIONS);
  redis.on('error', () => {}); // reported by consumeMany; without a listener it would be thrown
  const attempt = redis.connect().catch(() => {});
  await Promise.race([attempt, sleep(COMMAND_TIMEOUT_MS, undefined, { ref: false })]);
  return redis;
}

const argumentsOf = (consumptions: readonly Consumption[]): (string | number)[] => [
  ...consumptions.map(({ bucket }) => `frontdesk:rate:${bucket}`),
  ...consumptions.flatMap(({ limit, windowMs, cost }) => [limit, windowMs, cost]),
];
