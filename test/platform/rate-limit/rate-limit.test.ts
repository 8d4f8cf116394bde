import { setTimeout as sleep } from 'node:timers/promises';
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

    test('200 parallel spendings from all processes are granted exactly the limit', async () => {
      const all = openAll();
      const bucket = newBucket();
      const rate = { limit: 77, windowMs: MINUTE };
      const spent = await Promise.all(
        Array.from({ length: 200 }, (_, turn) => all[turn % limiters]!.consume(bucket, rate, 1)),
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
        Array.from({ length: 420 }, async (_, turn) => {
          const bucket = buckets[turn % 7]!;
          const rate = { limit: 50, windowMs: MINUTE };
          return { bucket, ...(await all[turn % limiters]!.consume(bucket, rate, 1 + (turn % 4))) };
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
      const spend = (cost: number) =>
        limiter.consume(bucket, { limit: 10, windowMs: MINUTE }, cost);
      expect(await spend(0)).toMatchObject({ granted: 0, remaining: 10 });
      expect(await spend(7)).toMatchObject({ granted: 7, remaining: 3 });
      expect(await spend(31)).toMatchObject({ granted: 3, remaining: 0 });
      expect(await spend(1)).toMatchObject({ granted: 0, remaining: 0 });
      expect(await limiter.consume(newBucket(), { limit: 10, windowMs: MINUTE }, 31)).toMatchObject(
        {
          granted: 10,
          remaining: 0,
        },
      );
      await limiter.close();
    });

    test('a window opens with the first spending, keeps its end, and opens anew after it', async () => {
      const limiter = openOne();
      const windowOf =
        (windowMs: number, bucket = newBucket()) =>
        () =>
          limiter.consume(bucket, { limit: 2, windowMs }, 1);
      const before = Date.now();
      const spend = windowOf(MINUTE);
      const { resetsAt } = await spend();
      expect(resetsAt).toBeGreaterThanOrEqual(before + MINUTE - 2);
      expect(resetsAt).toBeLessThanOrEqual(Date.now() + MINUTE + 2);
      await sleep(150);
      expect(await spend()).toEqual({ granted: 1, remaining: 0, resetsAt });
      expect(await spend()).toEqual({ granted: 0, remaining: 0, resetsAt });

      const spendBriefly = windowOf(400);
      const first = await spendBriefly();
      await sleep(first.resetsAt - Date.now() + 20);
      const next = await spendBriefly();
      expect(next).toMatchObject({ granted: 1, remaining: 1 });
      expect(next.resetsAt).toBeGreaterThanOrEqual(first.resetsAt + 400);
      await limiter.close();
    });

    test('a limit changed inside a window holds for what was spent before it', async () => {
      const limiter = openOne();
      const bucket = newBucket();
      const spend = (limit: number) => limiter.consume(bucket, { limit, windowMs: MINUTE }, 4);
      expect(await spend(10)).toMatchObject({ granted: 4, remaining: 6 });
      expect(await spend(3)).toMatchObject({ granted: 0, remaining: 0 });
      expect(await spend(20)).toMatchObject({ granted: 4, remaining: 12 });
      const parallel = await Promise.all([spend(20), spend(9), spend(20)]);
      expect(parallel.map(({ granted }) => granted)).toEqual([4, 0, 4]);
      await limiter.close();
    });

    test('any text is a bucket name, and no name fails those who share its batch', async () => {
      const limiter = openOne();
      const spend = (name: string) => limiter.consume(name, { limit: 5, windowMs: MINUTE }, 1);
      const names = ['nul\0', '\ud800', 'x'.repeat(100_000), 'ä b', '', newBucket(), 'nul\0'];
      const spent = await Promise.all([
        spend(newBucket()),
        ...names.map((bucket) => spend(bucket)),
      ]);
      expect(spent.map(({ remaining }) => remaining)).toEqual([4, 4, 4, 4, 4, 4, 4, 3]);
      await limiter.close();
    });
  },
);

describe('the store postgres alone', () => {
  test('two processes that want the same buckets in any order never deadlock', async () => {
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

  test("a failing database's error is passed on and the next spending asks again", async () => {
    const query = newQuery();
    let fails = true;
    const limiter = openRateLimiter({
      store: 'postgres',
      query: (text, values) =>
        fails ? Promise.reject(new Error('database away')) : query(text, values),
      log: SILENT,
    });
    const spend = () => limiter.consume('key:retry', { limit: 5, windowMs: MINUTE }, 1);
    const refused = await Promise.allSettled([spend(), spend(), spend()]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(spend()).rejects.toThrow('database away');
    fails = false;
    expect(await spend()).toMatchObject({ granted: 1, remaining: 4 });
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
