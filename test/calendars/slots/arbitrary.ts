import * as fc from 'fast-check';
import {
  CALENDAR_KINDS,
  WEEKDAYS,
  type Block,
  type BookableType,
  type Schedule,
  type BusyTimes,
  type Weekly,
  type Window,
} from '../../../src/calendars/schedule.ts';
import { slotsOf } from '../../../src/calendars/slots/slots-of.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Dates with clock changes, and ordinary dates in unusual zones. */
const PLACES = [
  ['Europe/Berlin', '2027-03-28'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['America/St_Johns', '2027-03-14'],
  ['America/St_Johns', '2010-11-07'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['Africa/Cairo', '2026-10-29'],
  ['Asia/Beirut', '2027-03-28'],
  ['Asia/Beirut', '2026-10-24'],
  ['America/Santiago', '2026-09-06'],
  ['Europe/Dublin', '2026-10-25'],
  ['Antarctica/Troll', '2027-03-28'],
  ['Pacific/Apia', '2011-12-29'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Kwajalein', '1993-08-21'],
  ['Pacific/Kiritimati', '2026-12-31'],
  ['Pacific/Chatham', '2027-04-04'],
  ['Asia/Kathmandu', '2026-11-02'],
  ['Etc/GMT+12', '2026-11-02'],
  ['UTC', '2028-02-29'],
] as const;

const windows: fc.Arbitrary<readonly Window[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 40 })), {
    maxLength: 3,
  })
  .map((quarters) =>
    quarters.map(([from, length]) => [from * 15, Math.min(1_440, (from + length) * 15)] as const),
  );

const oddWindow: fc.Arbitrary<readonly Window[]> = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 1_440 }))
  .map(([one, other]) => [[Math.min(one, other), Math.max(one, other) + Number(one === other)]]);

const day = fc.oneof(
  windows,
  oddWindow,
  fc.constant([[0, 1_440]] as const),
  fc.constant([[60, 240]] as const),
);

const weekly: fc.Arbitrary<Weekly> = fc
  .tuple(day, day, fc.boolean())
  .map(([even, odd, isWhole]) =>
    Object.fromEntries(
      WEEKDAYS.flatMap((weekday, n) =>
        isWhole || n % 3 > 0 ? [[weekday, n % 2 ? odd : even]] : [],
      ),
    ),
  );

const often = <T>(value: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: others });

const MEMBERS = ['anna', 'ben', 'cleo'];

/** Input for the slot engine: a schedule, busy times and a date. */
export interface ArbitraryQuery {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly busy: BusyTimes;
  readonly date: string;
  readonly now: number;
}

export const asked: fc.Arbitrary<ArbitraryQuery> = fc
  .record({
    place: fc.constantFrom(...PLACES),
    kind: fc.constantFrom(...CALENDAR_KINDS),
    hours: weekly,
    own: fc.array(often<Weekly | null>(null, weekly), { minLength: 1, maxLength: 3 }),
    special: often<readonly Window[] | null>(null, fc.oneof(fc.constant([]), day)),
    slotInterval: fc.constantFrom(null, 5, 7, 15, 30, 60),
    duration: fc.constantFrom(1, 15, 20, 30, 45, 60, 90, 240),
    bufferBefore: often(0, fc.constantFrom(5, 15, 60)),
    bufferAfter: often(0, fc.constantFrom(10, 30)),
    minimumNotice: often(0, fc.constantFrom(30, 120, 1_440)),
    maximumAdvance: often<number | null>(null, fc.constantFrom(0, 1, 2)),
    maxPerDay: often<number | null>(null, fc.integer({ min: 0, max: 3 })),
    booked: fc.integer({ min: 0, max: 3 }),
    seats: fc.constantFrom(null, 1, 2, 12),
    sinceMidnight: fc.integer({ min: -3_000, max: 1_600 }),
    bookings: fc.array(
      fc.record({
        memberId: fc.constantFrom(...MEMBERS, 'another member'),
        at: fc.integer({ min: -40, max: 160 }),
        length: fc.constantFrom(0, 1, 10, 30, 60, 600),
        isSeat: fc.boolean(),
        seatOf: fc.constantFrom('type', 'another'),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ place: [timezone, date], own, special, bookings, sinceMidnight, booked, ...given }) => {
    const { duration, seats, ...rest } = given;
    const schedule: Schedule = {
      ...rest,
      timezone,
      overrides: special ? [{ date, hours: special }] : [],
      members: own.map((hours, n) => ({ memberId: MEMBERS[n] ?? '', hours })),
    };
    const type = { id: 'type', duration, seats };
    const midnight = Date.parse(`${date}T00:00:00Z`);
    const open = slotsOf(
      { ...schedule, minimumNotice: 0, maximumAdvance: null, maxPerDay: null },
      type,
      { blocks: [], perDate: new Map() },
      { from: date, to: date, now: 0 },
    );
    const blocks = bookings.map(({ memberId, at, length, isSeat, seatOf }): Block => {
      const slot = open[Math.abs(at) % Math.max(1, open.length)];
      if (slot && isSeat) {
        const span = { from: slot.start - schedule.bufferBefore * MINUTE, until: slot.end };
        return { memberId, ...span, seat: { typeId: seatOf, start: slot.start } };
      }
      const from = midnight + at * 15 * MINUTE;
      return { memberId, from, until: from + length * MINUTE };
    });
    const busy = { blocks, perDate: new Map([[date, booked]]) };
    return { schedule, type, busy, date, now: midnight + sinceMidnight * MINUTE };
  });

/** Every minute that has that local date anywhere on earth, and a few hours more. */
export function minutesAround(date: string): number[] {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const from = midnight - 16 * 60 * MINUTE;
  const count = (DAY + 32 * 60 * MINUTE) / MINUTE;
  return Array.from({ length: count }, (_, n) => from + n * MINUTE);
}
