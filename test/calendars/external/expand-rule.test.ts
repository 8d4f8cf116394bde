import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { icalTime, wallOf } from '../../../src/calendars/external/event-clock.ts';
import { ruleOf, timesOf } from '../../../src/calendars/external/expand-rule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2020, 1, 27, 10, 30);

/** The times of a rule as ical.js counts them, from its start. */
function stepped(text: string, start: number, { from, until }: { from: number; until: number }) {
  const iterator = ruleOf(text).recur.iterator(icalTime(start));
  const times: number[] = [];
  for (let next = iterator.next(); next && wallOf(next) < until; next = iterator.next()) {
    times.push(wallOf(next));
  }
  return times.filter((time) => time >= from);
}

/** How long the steps from the start take limits the number of periods before the window. */
const FREQUENCIES = [
  ['SECONDLY', 1_000],
  ['MINUTELY', 60_000],
  ['HOURLY', HOUR_MS],
  ['DAILY', DAY_MS],
  ['WEEKLY', 7 * DAY_MS],
] as const;

const some = (values: readonly (string | number)[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

const PARTS = fc.record(
  {
    BYDAY: some(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']),
    BYHOUR: some([0, 9, 10, 17, 23]),
    BYMINUTE: some([0, 15, 30, 59]),
    BYMONTHDAY: some([1, 2, 15, 28]),
    WKST: fc.constantFrom('MO', 'SU', 'TH').map((day) => [day]),
  },
  { requiredKeys: [] },
);

const SERIES = fc
  .record({
    frequency: fc.constantFrom(...FREQUENCIES),
    interval: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
    parts: fc.oneof(fc.constant({}), PARTS),
    count: fc.option(fc.integer({ min: 1, max: 3_000 })),
    offset: fc.integer({ min: -40, max: 40 }),
    steps: fc.integer({ min: 0, max: 3_000 }),
  })
  .map(({ frequency: [name, unit], interval, parts, count, offset, steps }) => {
    const isMatched = name === 'WEEKLY' || (name === 'DAILY' && interval < 5);
    // ical.js searches for ever if no date matches, and for long if few do.
    const used = Object.entries(parts).filter(
      ([part]) => isMatched && (part !== 'BYMONTHDAY' || (name === 'DAILY' && !('BYDAY' in parts))),
    );
    const text = [
      `FREQ=${name}`,
      `INTERVAL=${interval}`,
      ...used.map(([part, values]) => `${part}=${values.join(',')}`),
      ...(count === null ? [] : [`COUNT=${count}`]),
    ].join(';');
    const start = START + offset * HOUR_MS;
    const from = start + steps * unit + offset * 60_000;
    return { text, start, window: { from, until: from + 60 * unit * interval } };
  });

describe('a rule has the same times if the ones before the window are skipped', () => {
  test('as if they were counted', () => {
    fc.assert(
      fc.property(SERIES, ({ text, start, window }) => {
        const found = [...timesOf(ruleOf(text).recur, start, window)];
        expect(found).toEqual(stepped(text, start, window));
      }),
      { numRuns: 100 },
    );
  });

  test.for([
    'FREQ=HOURLY;BYHOUR=8,9,17',
    'FREQ=HOURLY;INTERVAL=5;BYDAY=MO,FR',
    'FREQ=MINUTELY;INTERVAL=7;BYHOUR=8;BYDAY=TU',
    'FREQ=MINUTELY;INTERVAL=90;BYMONTHDAY=1,15',
    'FREQ=DAILY;INTERVAL=3;BYDAY=MO;BYHOUR=17,9;BYMINUTE=30,0',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,TU;WKST=SU',
    'FREQ=DAILY;INTERVAL=13;COUNT=200',
  ])('as in %s', (text) => {
    for (const days of [0, 1, 100, 366]) {
      const from = START + days * DAY_MS;
      const window = { from, until: from + 30 * DAY_MS };
      expect([...timesOf(ruleOf(text).recur, START, window)]).toEqual(stepped(text, START, window));
    }
  });
});

const datesOf = (text: string, until: number) =>
  [...timesOf(ruleOf(text).recur, START, { from: START, until })].map((time) =>
    new Date(time).toISOString().slice(0, 10),
  );

test('a rule that months limit has times in each of them, as many as it counts', () => {
  const weekly = datesOf('FREQ=WEEKLY;BYMONTH=6,3;BYDAY=MO;COUNT=7', Date.UTC(2030, 0, 1));
  expect(weekly).toEqual([
    '2020-03-02',
    '2020-03-09',
    '2020-03-16',
    '2020-03-23',
    '2020-03-30',
    '2020-06-01',
    '2020-06-08',
  ]);
  expect(datesOf('FREQ=DAILY;BYMONTH=3', Date.UTC(2022, 0, 1))).toHaveLength(1 + 62);
});

test('days that no month has give a series no times, and do not take forever', () => {
  expect(datesOf('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', Date.UTC(2022, 0, 1))).toEqual([
    '2020-02-27',
  ]);
  expect(datesOf('FREQ=DAILY;BYMONTHDAY=-1', Date.UTC(2020, 4, 1))).toEqual([
    '2020-02-27',
    '2020-02-29',
    '2020-03-31',
    '2020-04-30',
  ]);
});

test('a series beyond the limit of steps is refused instead of ending early', () => {
  const window = { from: START, until: START + 3_650 * DAY_MS };
  const all = () => [...timesOf(ruleOf('FREQ=HOURLY').recur, START, window)];
  expect(all).toThrow('it has a series with more than 50000 times');
});

test('a rule without any time is an error', () => {
  const all = () => [
    ...timesOf(ruleOf('FREQ=YEARLY;BYWEEKNO=20').recur, START, {
      from: START,
      until: Date.UTC(2030, 0),
    }),
  ];
  expect(all).toThrow('it has no times');
});
