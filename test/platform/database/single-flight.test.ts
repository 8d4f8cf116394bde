import { expect, test } from 'vitest';
import { singleFlight } from '#platform/database/single-flight.ts';
import { claimsOn } from '#platform/database/work/open-work.ts';

/** Each query returns the number of queries so far. */
function counted() {
  let asked = 0;
  const rows = async () => [{ asked: (asked += 1) }] as any[];
  return { ask: singleFlight(rows), count: () => asked };
}

test('equal queries of one tick run once and share their rows', async () => {
  const { ask, count } = counted();
  const answers = await Promise.all([1, 2, 3].map(() => ask('select $1', [7])));
  const one = [{ asked: 1 }];
  expect([count(), answers]).toEqual([1, [one, one, one]]);
});

test('queries with other values or texts run by themselves', async () => {
  const { ask, count } = counted();
  await Promise.all([ask('a', [1]), ask('a', [2]), ask('b', [1]), ask('a', ['1'])]);
  expect(count()).toBe(4);
});

test('a query never shares the result of a query that was sent before it', async () => {
  const sent = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<any[]>();
  let asked = 0;
  const ask = singleFlight((() => {
    asked += 1;
    sent.resolve();
    return asked === 1 ? slow.promise : Promise.resolve([{ asked }]);
  }) as never);
  const first = ask('a', []);
  await sent.promise;
  expect(await ask('a', [])).toEqual([{ asked: 2 }]);
  slow.resolve([{ asked: 1 }]);
  expect(await first).toEqual([{ asked: 1 }]);
});

test('a failed query fails for all its callers, and the next one runs again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve([])];
  answers[0]?.catch(() => undefined);
  const ask = singleFlight((() => answers.shift()) as never);
  const both = await Promise.allSettled([ask('a', []), ask('a', [])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('a', [])).toEqual([]);
});

test('a claimed name is free when the work that claimed it ends, and not before', async () => {
  const claimed = new Map();
  const [one, other] = [claimsOn(claimed), claimsOn(claimed)];
  expect(one.claim('slot')).toBeUndefined();
  const busy = other.claim('slot');
  expect(busy).toBeInstanceOf(Promise);
  expect(other.claim('another slot')).toBeUndefined();
  one.release();
  await busy;
  expect(other.claim('slot')).toBeUndefined();
  other.release();
  expect(claimed.size).toBe(0);
});
