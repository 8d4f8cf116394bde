import { expect, test } from 'vitest';
import type { Attempt } from '../../../src/webhooks/deliveries/attempt-delivery.ts';
import { openAttemptQueue } from '../../../src/webhooks/deliveries/attempt-queue.ts';

const PAGE = 500;

const attempt = (position: number): Attempt => ({
  eventId: String(position),
  attempt: 1,
  trigger: 'scheduled',
  position,
  name: 'contact.created',
  occurredAt: new Date(0),
  contactId: null,
  data: '{}',
});

/** A queue of three pages of events; `readsFrom` receives the position of each read. */
function openPages(readsFrom: number[], fail: () => boolean = () => false) {
  return openAttemptQueue({
    due: [],
    from: 0,
    isOver: () => false,
    readNew(from) {
      readsFrom.push(from);
      if (fail()) {
        return Promise.reject(new Error('the database is away'));
      }
      const isAll = from >= 3 * PAGE;
      const attempts = Array.from({ length: isAll ? 0 : PAGE }, (_, n) => attempt(from + n + 1));
      return Promise.resolve({ attempts, readTo: isAll ? from : from + PAGE, isAll });
    },
  });
}

test('the next page is read while events of this one are left, and every event comes once', async () => {
  const readsFrom: number[] = [];
  const queue = openPages(readsFrom);
  const positions: (number | undefined)[] = [];
  const readsBefore: number[] = [];
  for (let next = await queue.next(); next; next = await queue.next()) {
    positions.push(next.position);
    readsBefore.push(readsFrom.length);
    queue.finished(next);
  }
  expect(positions).toEqual(Array.from({ length: 3 * PAGE }, (_, n) => n + 1));
  expect(readsBefore[PAGE - 2]).toBe(2);
  expect([queue.servedTo(), queue.isMore()]).toEqual([3 * PAGE, false]);
});

test('events that were read ahead and not begun are not served', async () => {
  const queue = openPages([]);
  for (let taken = 0; taken < PAGE - 1; taken += 1) {
    queue.finished((await queue.next()) as Attempt);
  }
  await new Promise(setImmediate);
  expect([queue.servedTo(), queue.isMore()]).toEqual([PAGE - 1, true]);
});

test('an error of reading ahead reaches the caller that needs the page', async () => {
  const readsFrom: number[] = [];
  const queue = openPages(readsFrom, () => readsFrom.length > 1);
  for (let taken = 0; taken < PAGE; taken += 1) {
    await queue.next();
  }
  await expect(async () => queue.next()).rejects.toThrow('the database is away');
});
