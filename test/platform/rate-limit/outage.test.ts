import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Fault } from '#core/fault.ts';
import type { RateLimiter, Spent, WhenStoreIsDown } from '#core/rate-limit.ts';
import { openRateLimiter } from '#platform/rate-limit/limiter.ts';
import { hasRedis, startRedis, type TestRedis } from './redis-server.ts';

const RATE = { limit: 100, windowMs: 60_000 };
const NO_QUERY = async () => ({ rows: [] });

let redis: TestRedis;
let limiter: RateLimiter;
let said: string[];

const consume = (whenDown?: WhenStoreIsDown): Promise<Spent> =>
  limiter.consume('key:1', RATE, 1, whenDown);

/** Waits until requests are counted in the shared store again. */
async function untilBack(): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (said.at(-1) !== 'info' && Date.now() < deadline) {
    await consume();
    await sleep(50);
  }
}

beforeEach(async () => {
  if (!hasRedis) {
    return;
  }
  redis = await startRedis();
  said = [];
  const log = { warn: () => void said.push('warn'), info: () => void said.push('info') };
  limiter = openRateLimiter({ store: redis.url, query: NO_QUERY, log });
});

afterEach(async () => {
  if (!hasRedis) {
    return;
  }
  await limiter.close();
  redis.thaw();
  await redis.stop();
});

describe.skipIf(!hasRedis)('while Redis is down', () => {
  test('calls with keys are counted locally, public calls are refused, and one line is logged', async () => {
    await consume();
    await redis.stop();
    const result = await Promise.all(Array.from({ length: 50 }, () => consume()));
    expect(result.map(({ remaining }) => remaining)).toEqual(
      Array.from({ length: 50 }, (_, index) => 99 - index),
    );
    const refusal = await consume('refuse').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Fault);
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '1' } });
    expect(said).toEqual(['warn']);
  });

  test('the local count keeps the limit', async () => {
    await redis.stop();
    const spent = await Promise.all(
      Array.from({ length: 130 }, () => limiter.consume('key:2', RATE, 1)),
    );
    expect(spent.filter(({ granted }) => granted === 1)).toHaveLength(100);
  });

  test('a restarted Redis is used again, with one log line', async () => {
    await consume();
    await redis.stop();
    await consume();
    await redis.start();
    await untilBack();
    expect(said).toEqual(['warn', 'info']);
    const [one, two] = [await consume('refuse'), await consume('refuse')];
    expect(one.remaining - two.remaining).toBe(1);
    expect(said).toEqual(['warn', 'info']);
  });

  test('a restarted Redis is used again although the clock was ahead when it failed', async () => {
    await redis.stop();
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await consume();
    ahead.mockRestore();
    await redis.start();
    await untilBack();
    expect(said).toEqual(['warn', 'info']);
  });

  test('a hanging Redis delays the first callers only, and is used again afterwards', async () => {
    await consume();
    redis.freeze();
    await consume();
    let counted = 0;
    const later = Array.from({ length: 50 }, () => consume().then(() => (counted += 1)));
    // They wait for no timer: all are counted before the first one could end.
    await new Promise(setImmediate);
    expect(counted).toBe(50);
    await Promise.all(later);
    redis.thaw();
    await untilBack();
    expect(said).toEqual(['warn', 'info']);
  });

  test('a limiter that is opened before Redis counts locally until Redis is up', async () => {
    await limiter.close();
    await redis.stop();
    const log = { warn: () => void said.push('warn'), info: () => void said.push('info') };
    limiter = openRateLimiter({ store: redis.url, query: NO_QUERY, log });
    expect(await consume()).toMatchObject({ granted: 1, remaining: 99 });
    await expect(consume('refuse')).rejects.toThrow(Fault);
    await redis.start();
    await untilBack();
    expect(said).toEqual(['warn', 'info']);
  });
});

test.skipIf(!hasRedis)(
  'the first request waits for the connection to Redis instead of counting locally',
  async () => {
    const other = openRateLimiter({
      store: redis.url,
      query: NO_QUERY,
      log: { warn: () => void said.push('warn'), info() {} },
    });
    await limiter.consume('key:3', RATE, 40);
    expect(await other.consume('key:3', RATE, 1)).toMatchObject({ remaining: 59 });
    expect(said).toEqual([]);
    await other.close();
  },
);
