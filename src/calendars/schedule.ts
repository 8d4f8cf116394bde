/**
 * The slot engine's view of a calendar and of what is booked: plain values, no rows. Instants are
 * epoch milliseconds, dates are `YYYY-MM-DD` in the calendar's zone, everything else is whole minutes.
 * The functions over them are in `slots/`:
 *
 *   slotsOf(schedule, type, busy, {from, to, now})      every bookable time of those dates
 *   judgeSlot(schedule, type, busy, {start, end, now})  the bookable slot, or the reason against it
 *   blockWindow(schedule, type, {from, to})             the window whose blocks matter to those dates
 *   localDate(timezone, instant)                        the date that a booking counts for
 */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const CALENDAR_KINDS = ['personal', 'round-robin', 'collective', 'class'] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** Minutes of the local day, the end excluded: `[540, 720]` is 09:00–12:00; an end of 1440 is 24:00. */
export type Window = readonly [start: number, end: number];

/** Windows of each weekday, in order and not overlapping; a missing weekday has none. */
export type Weekly = { readonly [day in Weekday]?: readonly Window[] };

/** Replaces the weekday's windows on one date, for every member; an empty list closes the date. */
interface Override {
  readonly date: string;
  readonly hours: readonly Window[];
}

export interface ScheduleMember {
  readonly memberId: string;
  /** The member's own hours, instead of the calendar's; overrides apply to them too. */
  readonly hours?: Weekly | null;
}

export interface Schedule {
  readonly kind: CalendarKind;
  readonly timezone: string;
  readonly hours: Weekly;
  /** At most one per date. */
  readonly overrides: readonly Override[];
  /** Minutes between starts; null means the type's duration. */
  readonly slotInterval: number | null;
  readonly bufferBefore: number;
  readonly bufferAfter: number;
  readonly minimumNotice: number;
  /** Days of 24 hours from now, the last instant included; null means no limit. */
  readonly maximumAdvance: number | null;
  readonly maxPerDay: number | null;
  /**
   * A personal calendar uses its first member only. A calendar without members is its own member:
   * `[{memberId: calendarId}]`, and its bookings block that id.
   */
  readonly members: readonly ScheduleMember[];
  /** The member who must take part: the customer's choice, where any of several could. */
  readonly only?: string;
}

export interface BookableType {
  readonly id: string;
  readonly duration: number;
  /** Seats per start of a class; null means 1. Other kinds of calendar have no seats. */
  readonly seats: number | null;
}

/**
 * Time in which a member is busy: a live booking in any calendar (`start − before … end + after` with
 * the buffers it was booked with). The end is excluded, so that blocks which touch do not overlap.
 */
export interface Block {
  readonly memberId: string;
  readonly from: number;
  readonly until: number;
  /** Set for a seat of a class: seats with the same type and start do not conflict. */
  readonly seat?: { readonly typeId: string; readonly start: number } | null;
}

/**
 * Busy times of one member's external calendar: `[from, until, from, until, …]`, ascending and not
 * overlapping. A calendar may have thousands: they take neither an object each nor an index.
 */
export type ExternalTimes = readonly number[];

/** Everything that is booked or busy. An appointment that is being moved is left out of both. */
export interface BusyTimes {
  /** In any order: the blocks of the schedule's members, and of a class all seats of its type. */
  readonly blocks: readonly Block[];
  /** By member; absent without external calendars. */
  readonly external?: ReadonlyMap<string, ExternalTimes>;
  /** The number of the calendar's live bookings by the local date of their start. */
  readonly perDate: ReadonlyMap<string, number>;
}

/** A time that can be booked. */
export interface OfferedTime {
  readonly start: number;
  readonly end: number;
  /** The local date of the start. */
  readonly date: string;
  /** Null unless the calendar is a class. */
  readonly seatsRemaining: number | null;
}

export interface Slot extends OfferedTime {
  /**
   * The members who can take it, in the schedule's order: a round-robin needs one of them, a
   * collective calendar all. For a class with seats taken, the member who gives it.
   */
  readonly memberIds: readonly string[];
}

/** The reasons against booking a slot, in the order in which they are checked (contract 7). */
export const REFUSALS = [
  'invalid_duration',
  'slot_in_past',
  'too_soon',
  'too_far_ahead',
  'date_unavailable',
  'day_unavailable',
  'outside_hours',
  'day_full',
  'slot_unavailable',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A window as the manifest writes it: `09:00-12:00`, up to `24:00`. */
export const WINDOW_PATTERN = '^([01]\\d|2[0-3]):[0-5]\\d-(([01]\\d|2[0-3]):[0-5]\\d|24:00)$';

type HoursText = { readonly [day in (typeof WEEKDAYS)[number]]?: readonly string[] };

export const windowsOf = (texts: readonly string[]): readonly Window[] => texts.map(windowOf);

export const weeklyOf = (hours: HoursText): Weekly =>
  Object.fromEntries(Object.entries(hours).map(([day, texts]) => [day, windowsOf(texts)]));

function windowOf(text: string): Window {
  const [start = '', end = ''] = text.split('-');
  return [minutesOf(start), minutesOf(end)];
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
