import { setImmediate as nextTick } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Spent, Consumption, RateStore } from '#core/rate-limit.ts';
import { coalesce } from '#platform/rate-limit/limiter.ts';
import { openMemoryStore } from '#platform/rate-limit/stores/memory.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const NOW = 1_000_000;
const windowMs = 60_000;

/** Counts in memory with a stopped clock, and records its batches. */
function slowStore(ticks: number) {
  const consume = openMemoryStore(1_000_000, () => NOW);
  const batches: Consumption[][] = [];
  const store: RateStore = {
    async consumeMany(requests) {
      batches.push(requests.map(({ bucket, limit, cost }) => ({ bucket, limit, windowMs, cost })));
      for (let left = ticks; left > 0; left -= 1) {
        await nextTick();
      }
      return requests.map(consume);
    },
    async close() {},
  };
  return { store, batches };
}

/** The results of the requests one after the other, computed independently of the code. */
function oneByOne(requests: readonly Consumption[]): Spent[] {
  const used = new Map<string, number>();
  return requests.map(({ bucket, limit, cost }) => {
    const before = used.get(bucket) ?? 0;
    const left = limit > before ? limit - before : 0;
    const granted = cost < left ? cost : left;
    used.set(bucket, before + granted);
    return { granted, remaining: left - granted, resetsAt: NOW + windowMs };
  });
}

const requests = fc.array(
  fc.record({
    bucket: fc.constantFrom('a', 'b', 'c', 'd'),
    limit: fc.constantFrom(3, 25, 999_999_999),
    windowMs: fc.constant(windowMs),
    cost: fc.oneof(fc.nat(12), fc.constant(999_999_999)),
    pauseBefore: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('batched requests get the same results as one by one, even if rates change', async () => {
  await fc.assert(
    fc.asyncProperty(requests, fc.nat(3), async (asked, ticks) => {
      const { store, batches } = slowStore(ticks);
      const consume = coalesce(store);
      const answers: Promise<Spent>[] = [];
      for (const { pauseBefore, ...request } of asked) {
        if (pauseBefore) {
          await nextTick();
        }
        answers.push(consume(request));
      }
      expect(await Promise.all(answers)).toEqual(oneByOne(asked));
      for (const batch of batches) {
        expect(new Set(batch.map(({ bucket }) => bucket)).size).toBe(batch.length);
        expect(batch.every(({ cost, limit }) => cost <= limit)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

describe('the coalescer', () => {
  const request = (bucket: string): Consumption => ({ bucket, limit: 100, windowMs, cost: 1 });

  const buckets = (batches: readonly (readonly Consumption[])[]) =>
    batches.map((batch) => batch.map(({ bucket, cost }) => `${bucket}${cost}`));

  test('sends together what arrives in one tick, and then what arrived meanwhile', async () => {
    const { store, batches } = slowStore(2);
    const consume = coalesce(store, () => 0);
    const first = ['a', 'a', 'b'].map((bucket) => consume(request(bucket)));
    expect(batches).toHaveLength(0);
    await nextTick();
    expect(buckets(batches)).toEqual([['a2', 'b1']]);
    const second = ['a', 'c', 'a'].map((bucket) => consume(request(bucket)));
    await Promise.all([...first, ...second]);
    expect(buckets(batches)).toEqual([
      ['a2', 'b1'],
      ['a2', 'c1'],
    ]);
  });

  test('does not wait for the end of a long tick', async () => {
    const { store, batches } = slowStore(1);
    let now = 0;
    const consume = coalesce(store, () => now);
    const answers = [consume(request('a'))];
    now += 1;
    answers.push(consume(request('b')));
    expect(buckets(batches)).toEqual([['a1', 'b1']]);
    await Promise.all(answers);
    expect(batches).toHaveLength(1);
  });

  test('sends at most 500 buckets in a batch', async () => {
    const { store, batches } = slowStore(1);
    const consume = coalesce(store, () => 0);
    await Promise.all(Array.from({ length: 1_201 }, (_, index) => consume(request(`ip:${index}`))));
    expect(batches.map(({ length }) => length)).toEqual([500, 500, 201]);
  });

  test('a failed batch fails its own members only', async () => {
    const { store } = slowStore(1);
    let calls = 0;
    const consume = coalesce({
      ...store,
      consumeMany(wanted) {
        calls += 1;
        return calls === 2 ? Promise.reject(new Error('lost')) : store.consumeMany(wanted);
      },
    });
    const first = consume(request('a'));
    await nextTick();
    const second = [consume(request('a')), consume(request('b'))];
    await expect(first).resolves.toMatchObject({ remaining: 99 });
    for (const { status } of await Promise.allSettled(second)) {
      expect(status).toBe('rejected');
    }
    await expect(consume(request('a'))).resolves.toMatchObject({ remaining: 98 });
  });

  test('a bucket that is missing from the result is an error, not a grant', async () => {
    const consume = coalesce({ consumeMany: async () => [], async close() {} });
    await expect(consume(request('a'))).rejects.toThrow('no result for a');
  });
});

describe('memory', () => {
  test('when full, the window that expires first makes room, whatever its length', () => {
    let now = 0;
    const consume = openMemoryStore(3, () => now);
    const ask = (bucket: string, length: number) =>
      consume({ bucket, limit: 10, windowMs: length, cost: 1 }).remaining;
    ask('hour', 3_600_000);
    ask('minute', 60_000);
    now = 10;
    ask('later minute', 60_000);
    expect(ask('newcomer', 60_000)).toBe(9);
    expect(ask('hour', 3_600_000)).toBe(8);
    expect(ask('later minute', 60_000)).toBe(8);
    expect(ask('minute', 60_000)).toBe(9);
  });

  test('expired windows make room before any that still counts', () => {
    let now = 0;
    const consume = openMemoryStore(2, () => now);
    const ask = (bucket: string, length: number) =>
      consume({ bucket, limit: 10, windowMs: length, cost: 1 }).remaining;
    ask('long', 60_000);
    ask('short', 1_000);
    now = 1_000;
    ask('next', 60_000);
    expect(ask('long', 60_000)).toBe(8);
  });

  test('windows of a clock that was ahead have ended, and make room before others', () => {
    let now = 3_600_000;
    const consume = openMemoryStore(2, () => now);
    const ask = (bucket: string) => consume({ bucket, limit: 1, windowMs, cost: 1 });
    ask('ahead');
    ask('also ahead');
    now = 0;
    expect(ask('ahead')).toEqual({ granted: 1, remaining: 0, resetsAt: windowMs });
    expect(ask('other').granted).toBe(1);
    expect([ask('ahead').granted, ask('other').granted]).toEqual([0, 0]);
    now = windowMs;
    expect(ask('ahead').granted).toBe(1);
  });

  test('keeps the last 100,000 of a million addresses, at little cost for each', () => {
    const consume = openMemoryStore();
    const ask = (address: number) =>
      consume({ bucket: `ip:${address}`, limit: 10, windowMs, cost: 1 }).remaining;
    const took = cpuMs(() => {
      for (let address = 0; address < 1_000_000; address += 1) {
        ask(address);
      }
    });
    expect(took).toBeLessThan(15_000);
    expect([ask(999_999), ask(900_000)]).toEqual([8, 8]);
    expect([ask(899_999), ask(0)]).toEqual([9, 9]);
  });
});
