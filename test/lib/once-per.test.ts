import { expect, test } from 'vitest';
import { oncePer } from '#lib/once-per.ts';

test('runs once for each key, also for concurrent calls, and again once it is forgotten', async () => {
  const keys: object[] = [];
  const once = oncePer(async (key: object) => keys.push(key));
  const [one, other] = [{}, {}];
  expect(await Promise.all([once(one), once(one), once(other)])).toEqual([1, 1, 2]);
  expect(await once(one)).toBe(1);
  once.forget(one);
  expect(await once(one)).toBe(3);
  expect(keys).toEqual([one, other, one]);
});
