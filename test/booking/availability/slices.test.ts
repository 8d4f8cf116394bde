import { setImmediate as nextCycle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { View } from '#core/work.ts';
import { findSlots } from '../../../src/booking/availability/find-availability.ts';
import type { Offer } from '../../../src/calendars/offers.ts';
import { WEEKDAYS } from '../../../src/calendars/schedule.ts';

const MEMBERS = 200;
const NOW = new Date('2026-12-01T00:00:00Z');

/** A slot each minute. */
const LARGE = {
  calendar: {
    id: 'c',
    timezone: 'Europe/Berlin',
    locale: 'en-GB',
    showSeats: false,
    schedule: {
      kind: 'round-robin',
      timezone: 'Europe/Berlin',
      hours: Object.fromEntries(WEEKDAYS.map((day) => [day, [[0, 1440]]])),
      overrides: [],
      slotInterval: 1,
      bufferBefore: 0,
      bufferAfter: 0,
      minimumNotice: 0,
      maximumAdvance: null,
      maxPerDay: null,
      members: Array.from({ length: MEMBERS }, (_, n) => ({ memberId: `m${n}` })),
    },
  },
  type: { id: 't', duration: 5, seats: null },
} as unknown as Offer;

test('other work runs while the slots of a large calendar are searched', async () => {
  let cycles = 0;
  const over = new AbortController();
  const counting = (async () => {
    while (!over.signal.aborted) {
      await nextCycle();
      cycles += 1;
    }
  })();
  const view = { subAccountId: 's', now: NOW, rows: async () => [] } as unknown as View;
  const slots = await findSlots(view, LARGE, { from: '2026-12-02', to: '2026-12-08' });
  const during = cycles;
  over.abort();
  await counting;
  expect(slots).toHaveLength(7 * (1440 - 4));
  expect(during).toBeGreaterThan(1);
});
