import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { type BodyBudget, openBodyBudget } from '#platform/http/body/budget.ts';

/** A request whose connection itself is not counted. */
const SMALL = { headers: {} } as IncomingMessage;

/** Opens a share and records whether it is refused in favor of another. */
function opened(budget: BodyBudget, address: string) {
  const share = budget.open(SMALL, address);
  const body = { ...share, isEvicted: false };
  share.evictBy(() => {
    body.isEvicted = true;
  });
  return body;
}

const REFUSED = 'too many bodies are being received; try again later';

test('an address that uses up the budget does not lock others out', () => {
  const budget = openBodyBudget(100);
  const large = Array.from({ length: 4 }, () => opened(budget, 'attacker'));
  large.forEach(({ reserve }) => reserve(25));
  const small = opened(budget, 'customer');
  small.reserve(1);
  expect(large.filter(({ isEvicted }) => isEvicted)).toHaveLength(1);
  // A large body of another address gets its fair share, too.
  small.reserve(30);
  expect([small.isEvicted, large.filter(({ isEvicted }) => isEvicted).length]).toEqual([false, 2]);
});

test('a small body is received although large ones of the same address use up the budget', () => {
  const budget = openBodyBudget(100);
  const large = Array.from({ length: 4 }, () => opened(budget, 'proxy'));
  large.forEach(({ reserve }) => reserve(25));
  opened(budget, 'proxy').reserve(1);
  expect(large.filter(({ isEvicted }) => isEvicted)).toHaveLength(1);
});

test('a body that is the largest itself is refused, and frees its share', () => {
  const budget = openBodyBudget(100);
  const kept = Array.from({ length: 4 }, () => opened(budget, 'a'));
  kept.forEach(({ reserve }) => reserve(20));
  const last = opened(budget, 'a');
  last.reserve(20);
  expect(() => last.reserve(1)).toThrow(REFUSED);
  expect(kept.some(({ isEvicted }) => isEvicted)).toBe(false);
  opened(budget, 'a').reserve(20);
  expect(kept.some(({ isEvicted }) => isEvicted)).toBe(false);
});

test('a complete body is never refused', () => {
  const budget = openBodyBudget(100);
  const complete = opened(budget, 'a');
  complete.reserve(100);
  complete.evictBy(undefined);
  const other = opened(budget, 'b');
  expect(() => other.reserve(1)).toThrow(REFUSED);
  complete.release();
  complete.release();
  other.reserve(100);
  expect([complete.isEvicted, other.isEvicted]).toEqual([false, false]);
});
