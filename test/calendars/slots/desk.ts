import { judgeSlot } from '../../../src/calendars/slots/judge-slot.ts';
import { Temporal } from 'temporal-polyfill';
import type {
  Block,
  BookableType,
  Refusal,
  Schedule,
  OfferedTime,
  Slot,
  BusyTimes,
  Weekly,
  Window,
} from '../../../src/calendars/schedule.ts';
import { slotsOf } from '../../../src/calendars/slots/slots-of.ts';

/** Anna's calendar in Berlin, open every day from 9 to 12, with the changes of a test. */
export interface Desk {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly busy: BusyTimes;
  readonly now: number;
}

export const everyDay = (...windows: Window[]): Weekly => ({
  mon: windows,
  tue: windows,
  wed: windows,
  thu: windows,
  fri: windows,
  sat: windows,
  sun: windows,
});

export const hour = (hours: number): number => hours * 60;

interface AskInput extends Partial<Schedule> {
  readonly duration?: number;
  readonly seats?: number;
  readonly blocks?: readonly Block[];
  readonly perDate?: Readonly<Record<string, number>>;
  /** A local time in the calendar's zone. */
  readonly at?: string;
}

export function deskOf(given: AskInput = {}): Desk {
  const { duration = 60, seats = null, blocks = [], perDate = {}, at, ...more } = given;
  const schedule: Schedule = {
    kind: 'round-robin',
    timezone: 'Europe/Berlin',
    hours: everyDay([hour(9), hour(12)]),
    overrides: [],
    slotInterval: null,
    bufferBefore: 0,
    bufferAfter: 0,
    minimumNotice: 0,
    maximumAdvance: null,
    maxPerDay: null,
    members: [{ memberId: 'anna' }],
    ...more,
  };
  return {
    schedule,
    type: { id: 'type', duration, seats },
    busy: { blocks, perDate: new Map(Object.entries(perDate)) },
    now: instant(at ?? '1980-01-01T00:00', schedule.timezone),
  };
}

/** Parses `2026-11-02T09:00` in a zone; an offset or Z overrides the zone. */
export const instant = (text: string, timezone = 'Europe/Berlin'): number =>
  /Z$|[+-]\d\d:\d\d$/.test(text)
    ? Date.parse(text)
    : Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds;

export const slotsOn = (
  { schedule, type, busy, now }: Desk,
  from: string,
  to = from,
): OfferedTime[] => slotsOf(schedule, type, busy, { from, to, now });

/** Returns the starts offered on a date, in local time. */
export const timesOn = (desk: Desk, date: string): string =>
  slotsOn(desk, date)
    .map(({ start }) => zoned(desk, start).toPlainTime().toString().slice(0, 5))
    .join(' ');

/** Returns the starts with offsets, which distinguish the two occurrences of a repeated hour. */
export const offsetsOn = (desk: Desk, date: string): string =>
  slotsOn(desk, date)
    .map(({ start }) =>
      zoned(desk, start).toString({ timeZoneName: 'never', smallestUnit: 'minute' }),
    )
    .map((text) => text.slice(11))
    .join(' ');

const zoned = ({ schedule }: Desk, at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(schedule.timezone);

/** Returns the members who can take a start, or the reason against it. */
export function judge(desk: Desk, start: string, minutes = desk.type.duration): string {
  const { schedule, type, busy, now } = desk;
  const from = instant(start, schedule.timezone);
  const judged: Slot | Refusal = judgeSlot(schedule, type, busy, {
    start: from,
    end: from + minutes * 60_000,
    now,
  });
  return typeof judged === 'string' ? judged : judged.memberIds.join(' ');
}

/** Returns who can take each start that is offered on a date. */
export const takersOn = (desk: Desk, date: string): string[] =>
  slotsOn(desk, date).map(({ start }) => judge(desk, new Date(start).toISOString()));

/** A block of a member, in Berlin's local time. */
export const block = (memberId: string, from: string, until: string): Block => ({
  memberId,
  from: instant(from),
  until: instant(until),
});

export const seat = (memberId: string, start: string, minutes: number, typeId = 'type'): Block => ({
  memberId,
  from: instant(start),
  until: instant(start) + minutes * 60_000,
  seat: { typeId, start: instant(start) },
});
