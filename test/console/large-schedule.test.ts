import type { View } from '#core/work.ts';
import { findSchedule } from '../../src/booking/availability/find-schedule.ts';
import { dateAfter } from '../../src/booking/availability/availability.schema.ts';
import { always } from '../support/calendars.ts';
import { cyclesDuring } from '../support/cycles.ts';
import { apply } from '../support/manifest.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const FIRST = '2027-01-01';
const MONTH = 31;
const MAX_BYTES = 4_000_000;

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The most windows that a day can have. */
const windowsAt = (minute: number) =>
  Array.from({ length: 48 }, (_, n) => `${clock(n * 30 + minute)}-${clock(n * 30 + 29)}`);
const WINDOWS = windowsAt(0);

async function setUp(service: TestService, calendars: number, members: number) {
  const team = Array.from({ length: members }, (_, n) => ({ key: `m${n}`, name: `Member ${n}` }));
  const { ids } = await apply(service, {
    team,
    calendars: Array.from({ length: calendars }, (_, n) => ({
      key: `c${n}`,
      name: 'Calendar',
      type: 'round-robin',
      timezone: 'UTC',
      members: team.map(({ key }) => key),
      hours: always(...WINDOWS),
    })),
  });
  return Object.values(ids['team'] ?? {});
}

async function scheduleOf(service: TestService, date: string, days: number) {
  const { call } = await signInAs(service, 'viewer');
  const endDate = dateAfter(date, days - 1);
  const path = `/console/api/v1/calendars/schedule?date=${date}&endDate=${endDate}`;
  const { status, body } = await call(`GET ${path}`);
  expect(status).toBe(200);
  expect(JSON.stringify(body).length).toBeLessThan(MAX_BYTES);
  return body;
}

const startsOf = (spans: readonly { readonly startTime: string }[]) =>
  spans.map(({ startTime }) => startTime);

const BUSY_A_DAY = 720;

/** Makes each member busy every two minutes from the first day on. */
const keepBusy = (
  { database, subAccountId }: TestService,
  members: readonly string[],
  days: number,
) =>
  database.rows(
    `insert into external_busy (sub_account_id, member_id, busy)
     select $1, member, range_agg(tstzrange(at, at + interval '1 min'))
     from unnest($2::uuid[]) as member cross join generate_series(
       $3::timestamptz, $3::timestamptz + $4::int * interval '1 day' - interval '1 min',
       interval '2 min') as at
     group by member`,
    [subAccountId, members, `${FIRST}T00:00:00Z`, days],
  );

describe('the schedule of a large team', () => {
  test('names members who work at the same times once', async ({ service }) => {
    const members = await setUp(service, 2, 200);
    const { data, meta } = await scheduleOf(service, FIRST, MONTH);
    expect(data.groups.map((ids: string[]) => ids.toSorted())).toEqual([members.toSorted()]);
    expect(data.hours).toHaveLength(2 * WINDOWS.length * MONTH);
    expect(new Set(data.hours.map(({ group }: { group: number }) => group))).toEqual(new Set([0]));
    expect(meta).toEqual({ days: MONTH, daysReturned: MONTH, truncated: false });
  });

  test('ends after whole days of opening hours, and goes on from the next one', async ({
    service,
  }) => {
    const calendars = 10;
    await setUp(service, calendars, 2);
    const { data, meta } = await scheduleOf(service, FIRST, MONTH);
    const { daysReturned } = meta;
    expect(meta).toEqual({ days: MONTH, daysReturned, truncated: true });
    expect(daysReturned).toBeGreaterThan(7);
    expect(data.hours).toHaveLength(calendars * WINDOWS.length * daysReturned);
    const next = dateAfter(FIRST, daysReturned);
    expect(startsOf(data.hours).every((start) => start < next)).toBe(true);
    const rest = await scheduleOf(service, next, MONTH - daysReturned);
    expect(startsOf(rest.data.hours)).toHaveLength(
      calendars * WINDOWS.length * rest.meta.daysReturned,
    );
  });

  test('ends after whole days of taken times', async ({ service }) => {
    const members = await setUp(service, 1, 10);
    await keepBusy(service, members, 3);
    const { data, meta } = await scheduleOf(service, FIRST, 3);
    expect(meta).toEqual({ days: 3, daysReturned: 2, truncated: true });
    expect(data.taken).toHaveLength(2 * members.length * BUSY_A_DAY);
    expect(data.hours).toHaveLength(2 * WINDOWS.length);
    const rest = await scheduleOf(service, dateAfter(FIRST, 2), 1);
    expect(rest.meta).toEqual({ days: 1, daysReturned: 1, truncated: false });
    expect(rest.data.taken).toHaveLength(members.length * BUSY_A_DAY);
  });

  test('ends within the first day if it alone is too large', async ({ service }) => {
    const members = await setUp(service, 1, 30);
    await keepBusy(service, members, 1);
    const { data, meta } = await scheduleOf(service, FIRST, 2);
    expect(meta).toEqual({ days: 2, daysReturned: 1, truncated: true });
    expect(data.taken.length).toBeLessThan(members.length * BUSY_A_DAY);
    expect(data.taken.length).toBeGreaterThan(10_000);
    expect(data.hours).toHaveLength(WINDOWS.length);
  });
});

/** Calendars of members with their own windows. */
const OF_OWN_HOURS = Array.from({ length: 2 }, (_, calendar) => ({
  id: `c${calendar}`,
  kind: 'collective',
  timezone: 'UTC',
  hours: {},
  overrides: [],
  types: [],
  members: Array.from({ length: 200 }, (_, member) => ({
    memberId: `m${member}`,
    hours: always(...windowsAt(member % 15)),
  })),
}));

/** A view without a database. `open` counts the reads that run at the same time. */
function viewOf(open: { now: number; most: number }, calendars: readonly object[]) {
  const read = async () => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    await new Promise(setImmediate);
    open.now -= 1;
    return { rows: [], hasMore: false };
  };
  return {
    subAccountId: 's',
    now: new Date(),
    cached: async ({ tables }: { tables: readonly string[] }) =>
      tables.includes('calendars') ? calendars : [{ timezone: 'UTC' }],
    rows: async () => (await read()).rows,
    wirePage: read,
  } as unknown as View;
}

test('other work runs while opening hours are computed', async () => {
  const view = viewOf({ now: 0, most: 0 }, OF_OWN_HOURS);
  const computed = findSchedule(view, { date: FIRST, endDate: dateAfter(FIRST, MONTH - 1) });
  expect(await cyclesDuring(computed)).toBeGreaterThan(5);
});

test('a sub-account builds a few schedules at a time', async () => {
  const open = { now: 0, most: 0 };
  const view = viewOf(open, []);
  await Promise.all(Array.from({ length: 40 }, () => findSchedule(view, { date: FIRST })));
  expect(open.most).toBeLessThanOrEqual(4);
});
