import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRateLimiter, type RateStoreName } from '#platform/rate-limit/limiter.ts';
import {
  PRUNE_RATE_WINDOWS,
  type Query,
  SPEND_RATES,
} from '#platform/rate-limit/stores/postgres.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { hasRedis, startRedis, type TestRedis } from './redis-server.ts';

const SILENT = { warn() {}, info() {} };
const MINUTE = 60_000;

const pools: Pool[] = [];
let redis: TestRedis | undefined;
let database: TestDatabase;
let nextBucket = 0;

/** A pool of its own, as each process has one. */
function newQuery(): Query {
  const pool = new Pool({ connectionString: database.url, max: 2 });
  // Dropping the database ends connections that are still closing.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  pools.push(pool);
  return (text, values) => pool.query({ name: SPEND_RATES.name, text, values });
}

const open = (store: RateStoreName) => openRateLimiter({ store, query: newQuery(), log: SILENT });
const newBucket = () => `key:${(nextBucket += 1)}`;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

beforeAll(async () => {
  redis = hasRedis ? await startRedis() : undefined;
  database = await createDatabase();
});

afterAll(async () => {
  await redis?.stop();
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

const urlOf = (name: 'memory' | 'postgres' | 'redis') =>
  name === 'redis' ? (redis?.url ?? 'memory') : name;

const HOUR = 3_600_000;

/** Windows as they are once a clock that was an hour ahead is correct again. */
const MOVE_ENDS = {
  async postgres(bucket: string, aheadMs: number) {
    const text = `update rate_windows set resets_at = clock_timestamp() + $2 * interval '1 ms' where bucket = $1`;
    await pools[0]?.query(text, [bucket, aheadMs]);
  },
  async redis(bucket: string, aheadMs: number) {
    const client = new Redis(redis?.url ?? '');
    await client.hset(`frontdesk:rate:${bucket}`, 'resets_at', Date.now() + aheadMs);
    client.disconnect();
  },
};

const STORES = [
  { name: 'memory', limiters: 1 },
  { name: 'postgres', limiters: 3 },
  { name: 'redis', limiters: 3 },
] as const;

describe.each(STORES.filter(({ name }) => hasRedis || name !== 'redis'))(
  'the store $name',
  ({ name, limiters }) => {
    const openAll = () => Array.from({ length: limiters }, () => open(urlOf(name)));
    const openOne = () => open(urlOf(name));

    test('200 parallel requests from all processes are granted exactly the limit', async () => {
      const all = openAll();
      const bucket = newBucket();
      const rate = { limit: 77, windowMs: MINUTE };
      const spent = await Promise.all(
        Array.from({ length: 200 }, (_, index) => all[index % limiters]!.consume(bucket, rate, 1)),
      );
      const granted = spent.filter((one) => one.granted === 1);
      expect(granted).toHaveLength(77);
      expect(granted.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
        Array.from({ length: 77 }, (_, index) => 76 - index),
      );
      expect(new Set(spent.map(({ resetsAt }) => resetsAt)).size).toBe(1);
      await Promise.all(all.map((limiter) => limiter.close()));
    });

    test('costs of every size add up to the limit, spread over many buckets', async () => {
      const all = openAll();
      const buckets = Array.from({ length: 7 }, newBucket);
      const spent = await Promise.all(
        Array.from({ length: 420 }, async (_, index) => {
          const bucket = buckets[index % 7]!;
          const rate = { limit: 50, windowMs: MINUTE };
          return {
            bucket,
            ...(await all[index % limiters]!.consume(bucket, rate, 1 + (index % 4))),
          };
        }),
      );
      for (const bucket of buckets) {
        const grants = spent.filter((one) => one.bucket === bucket).map(({ granted }) => granted);
        expect(sum(grants)).toBe(50);
      }
      await Promise.all(all.map((limiter) => limiter.close()));
    });

    test('a cost above what is left gets what is left, and then nothing', async () => {
      const limiter = openOne();
      const bucket = newBucket();
      const consume = (cost: number) =>
        limiter.consume(bucket, { limit: 10, windowMs: MINUTE }, cost);
      expect(await consume(0)).toMatchObject({ granted: 0, remaining: 10 });
      expect(await consume(7)).toMatchObject({ granted: 7, remaining: 3 });
      expect(await consume(31)).toMatchObject({ granted: 3, remaining: 0 });
      expect(await consume(1)).toMatchObject({ granted: 0, remaining: 0 });
      expect(await limiter.consume(newBucket(), { limit: 10, windowMs: MINUTE }, 31)).toMatchObject(
        {
          granted: 10,
          remaining: 0,
        },
      );
      await limiter.close();
    });

    test('a window opens with the first request, keeps its end, and reopens after it', async () => {
      const limiter = openOne();
      const windowOf =
        (windowMs: number, bucket = newBucket()) =>
        () =>
          limiter.consume(bucket, { limit: 2, windowMs }, 1);
      const before = Date.now();
      const consume = windowOf(MINUTE);
      const { resetsAt } = await consume();
      expect(resetsAt).toBeGreaterThanOrEqual(before + MINUTE - 2);
      expect(resetsAt).toBeLessThanOrEqual(Date.now() + MINUTE + 2);
      await sleep(150);
      expect(await consume()).toEqual({ granted: 1, remaining: 0, resetsAt });
      expect(await consume()).toEqual({ granted: 0, remaining: 0, resetsAt });

      const consumeBriefly = windowOf(400);
      const first = await consumeBriefly();
      await sleep(first.resetsAt - Date.now() + 20);
      const next = await consumeBriefly();
      expect(next).toMatchObject({ granted: 1, remaining: 1 });
      expect(next.resetsAt).toBeGreaterThanOrEqual(first.resetsAt + 400);
      await limiter.close();
    });

    test('a limit that changes inside a window includes what was consumed before', async () => {
      const limiter = openOne();
      const bucket = newBucket();
      const consume = (limit: number) => limiter.consume(bucket, { limit, windowMs: MINUTE }, 4);
      expect(await consume(10)).toMatchObject({ granted: 4, remaining: 6 });
      expect(await consume(3)).toMatchObject({ granted: 0, remaining: 0 });
      expect(await consume(20)).toMatchObject({ granted: 4, remaining: 12 });
      const parallel = await Promise.all([consume(20), consume(9), consume(20)]);
      expect(parallel.map(({ granted }) => granted)).toEqual([4, 0, 4]);
      await limiter.close();
    });

    test('any text is a bucket name, and no name fails its batch', async () => {
      const limiter = openOne();
      const consume = (name: string) => limiter.consume(name, { limit: 5, windowMs: MINUTE }, 1);
      const names = ['nul\0', '\ud800', 'x'.repeat(100_000), 'ä b', '', newBucket(), 'nul\0'];
      const spent = await Promise.all([
        consume(newBucket()),
        ...names.map((bucket) => consume(bucket)),
      ]);
      expect(spent.map(({ remaining }) => remaining)).toEqual([4, 4, 4, 4, 4, 4, 4, 3]);
      await limiter.close();
    });
  },
);

describe.each(['postgres', 'redis'] as const)('the store %s after its clock was ahead', (name) => {
  test.skipIf(name === 'redis' && !hasRedis)('counts in a new window', async () => {
    const limiter = open(urlOf(name));
    const bucket = newBucket();
    const consume = () => limiter.consume(bucket, { limit: 2, windowMs: MINUTE }, 2);
    await consume();
    await MOVE_ENDS[name](bucket, HOUR);
    const latest = Date.now() + 2 * MINUTE;
    const next = await consume();
    expect(next).toMatchObject({ granted: 2, remaining: 0 });
    expect(next.resetsAt).toBeLessThan(latest);
    await MOVE_ENDS[name](bucket, MINUTE / 2);
    expect(await consume()).toMatchObject({ granted: 0, remaining: 0 });
    await limiter.close();
  });
});

describe('the store postgres alone', () => {
  test('two processes that use the same buckets in any order never deadlock', async () => {
    const [one, other] = [open('postgres'), open('postgres')];
    const buckets = Array.from({ length: 450 }, newBucket);
    const shuffled = () => buckets.toSorted(() => Math.random() - 0.5);
    const rate = { limit: 1_000, windowMs: MINUTE };
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([
        ...shuffled().map((bucket) => one.consume(bucket, rate, 1)),
        ...shuffled().map((bucket) => other.consume(bucket, rate, 1)),
      ]);
    }
    const { remaining } = await one.consume(buckets[0]!, rate, 1);
    expect(remaining).toBe(1_000 - 2 * 20 - 1);
  });

  test("a failing database's error is passed on, and the next request tries again", async () => {
    const query = newQuery();
    let fails = true;
    const limiter = openRateLimiter({
      store: 'postgres',
      query: (text, values) =>
        fails ? Promise.reject(new Error('database unreachable')) : query(text, values),
      log: SILENT,
    });
    const consume = () => limiter.consume('key:retry', { limit: 5, windowMs: MINUTE }, 1);
    const refused = await Promise.allSettled([consume(), consume(), consume()]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(consume()).rejects.toThrow('database unreachable');
    fails = false;
    expect(await consume()).toMatchObject({ granted: 1, remaining: 4 });
  });

  test('housekeeping removes expired windows and no others', async () => {
    const limiter = open('postgres');
    const [expired, standing] = [newBucket(), newBucket()];
    await limiter.consume(expired, { limit: 5, windowMs: 1 }, 1);
    await limiter.consume(standing, { limit: 5, windowMs: MINUTE }, 1);
    await sleep(10);
    await pools[0]?.query(PRUNE_RATE_WINDOWS);
    const left = await pools[0]?.query('select bucket from rate_windows where bucket = any($1)', [
      [expired, standing],
    ]);
    expect(left?.rows).toEqual([{ bucket: standing }]);
  });
});
