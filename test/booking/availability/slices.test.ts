import { setImmediate as nextCycle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { View } from '#core/work.ts';
import { freeFrom, searchOf } from '../../../src/booking/availability/alternatives.ts';
import { loadBusyTimes, NO_BUSY_TIMES } from '../../../src/booking/availability/busy-times.ts';
import { findSlots } from '../../../src/booking/availability/find-availability.ts';
import type { Offer } from '../../../src/calendars/offers.ts';
import { WEEKDAYS, type Schedule } from '../../../src/calendars/schedule.ts';
import { slotsOf } from '../../../src/calendars/slots/slots-of.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/duration.ts';

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

/** Returns the result of `act`, and how often other work could run meanwhile. */
async function counted<T>(act: () => Promise<T>) {
  let cycles = 0;
  const over = new AbortController();
  const counting = (async () => {
    while (!over.signal.aborted) {
      await nextCycle();
      cycles += 1;
    }
  })();
  const result = await act();
  const during = cycles;
  over.abort();
  await counting;
  return { result, during };
}

const viewWith = (...rows: readonly object[]) =>
  ({ subAccountId: 's', now: NOW, rows: async () => rows }) as unknown as View;

test('other work runs while the slots of a large calendar are searched', async () => {
  const search = { from: '2026-12-02', to: '2026-12-08' };
  const { result: slots, during } = await counted(() => findSlots(viewWith(), LARGE, search));
  expect(slots).toHaveLength(7 * (1440 - 4));
  expect(during).toBeGreaterThan(1);
});

/** Each member has other hours, and is busy for the whole time. */
const BUSY = {
  ...LARGE.calendar.schedule,
  members: LARGE.calendar.schedule.members.map((member, n) => ({
    ...member,
    hours: Object.fromEntries(WEEKDAYS.map((day) => [day, [[n % 60, 1440]]] as const)),
  })),
} as Schedule;
const ALL_BUSY = {
  ...NO_BUSY_TIMES,
  blocks: BUSY.members.map(({ memberId }) => ({
    memberId,
    from: 0,
    until: NOW.getTime() + 40 * DAY_MS,
  })),
};

/** Each member has an appointment of five minutes every hour. */
const HOURLY = LARGE.calendar.schedule.members.flatMap(({ memberId }) =>
  Array.from({ length: 7 * 24 }, (_, hour) => {
    const from = Date.parse('2026-12-02T00:00:00+01:00') + hour * HOUR_MS;
    return { memberId, from, until: from + 5 * MINUTE_MS };
  }),
);

test('the blocks of a large calendar are read in parts, with the same slots', async () => {
  const reads: number[] = [];
  /** Like PostgreSQL, returns the blocks of the window, at most as many as the last value says. */
  const rows = async (_text: string, values: readonly any[]) => {
    const [from, until, limit] = [Date.parse(values[2]), Date.parse(values[3]), values[9]];
    const blocks = HOURLY.filter((block) => block.from < until && block.until > from);
    const read = blocks.slice(0, limit ?? Infinity);
    reads.push(read.length);
    return [{ blocks: read, external: [], starts: [] }];
  };
  const only = 'm7';
  const schedule = { ...LARGE.calendar.schedule, slotInterval: 5, only } as Schedule;
  const offer = { ...LARGE, calendar: { ...LARGE.calendar, schedule } };
  const view = { subAccountId: 's', now: NOW, rows } as unknown as View;
  const slots = await findSlots(view, offer, { from: '2026-12-02', to: '2026-12-08' });
  const all = { ...NO_BUSY_TIMES, blocks: HOURLY };
  const query = { from: '2026-12-02', to: '2026-12-08', now: NOW.getTime() };
  const expected = slotsOf(schedule, LARGE.type, all, query).map(({ start }) => start);
  expect(slots.map(({ startTime }) => startTime)).toEqual(expected);
  expect(expected).toHaveLength(7 * 24 * 11);
  expect(Math.max(...reads)).toBeLessThanOrEqual(5_001);
});

test('other work runs while alternatives are searched in one day of a large calendar', async () => {
  const times = { startTime: NOW.getTime(), now: NOW.getTime(), ahead: DAY_MS };
  const search = searchOf(BUSY, LARGE.type, times);
  const bookable = { schedule: BUSY, type: LARGE.type, busy: ALL_BUSY, current: undefined };
  const { result, during } = await counted(() =>
    search ? freeFrom('s', bookable, search) : Promise.reject(new Error('nothing to search')),
  );
  expect(result).toEqual([]);
  expect(during).toBeGreaterThan(3);
});

test('other work runs while many external busy times are read', async () => {
  const first = NOW.getTime();
  const bounds = Array.from({ length: 4_000 }, (_, n) => first + n * 1_000);
  const external = LARGE.calendar.schedule.members.map(({ memberId }) => {
    return { memberId, times: bounds.join(',') };
  });
  const { calendar, type } = LARGE;
  const span = { from: first, until: first + 1 };
  const query = { calendarId: 'c', schedule: calendar.schedule, type, window: span, days: span };
  const { rows } = viewWith({ blocks: [], external, starts: [] });
  const { result, during } = await counted(() => loadBusyTimes(rows, 's', query));
  expect(result.external?.size).toBe(MEMBERS);
  expect(result.external?.get('m7')).toEqual(bounds);
  expect(during).toBeGreaterThan(1);
});
