/**
 * What the slot engine knows of a calendar and of what is booked: plain values, no rows. Instants are
 * epoch milliseconds, dates are `YYYY-MM-DD` in the calendar's zone, everything else is whole minutes.
 * The functions over them are in `slots/`; load those lazily, they bring Temporal along:
 *
 *   slotsOf(schedule, type, taken, {from, to, now})      every bookable slot of those dates
 *   judgeSlot(schedule, type, taken, {start, end, now})  the bookable slot, or why it is none
 *   reachOf(schedule, type, {from, to})                  which blocks can matter to those dates
 *   localDate(timezone, instant)                         the date that a booking counts for
 */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const CALENDAR_KINDS = ['personal', 'round-robin', 'collective', 'class'] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** Minutes of the local day, the end left out: `[540, 720]` is 09:00–12:00; an end of 1440 is 24:00. */
export type Window = readonly [start: number, end: number];

/** Windows of each weekday, in order and apart from each other; a weekday left out has none. */
export type Weekly = { readonly [day in Weekday]?: readonly Window[] };

/** What one date has instead of its weekday's windows, for every member; none closes the date. */
interface Override {
  readonly date: string;
  readonly hours: readonly Window[];
}

export interface ScheduleMember {
  readonly memberId: string;
  /** His own hours, which replace the calendar's for him; overrides hold for him as for all. */
  readonly hours?: Weekly | null;
}

export interface Schedule {
  readonly kind: CalendarKind;
  readonly timezone: string;
  readonly hours: Weekly;
  /** One a date. */
  readonly overrides: readonly Override[];
  /** The distance of the grid's starts; the type's duration where it is null. */
  readonly slotInterval: number | null;
  readonly bufferBefore: number;
  readonly bufferAfter: number;
  readonly minimumNotice: number;
  /** Days of 24 hours from now, the last instant included; null is no limit. */
  readonly maximumAdvance: number | null;
  readonly maxPerDay: number | null;
  /**
   * A personal calendar's one member is its first. A calendar without members stands in for one
   * itself: `[{memberId: calendarId}]`, and its bookings block that id.
   */
  readonly members: readonly ScheduleMember[];
}

export interface BookableType {
  readonly id: string;
  readonly duration: number;
  /** Per start of a class, 1 where it is null; other kinds of calendar have no seats. */
  readonly seats: number | null;
}

/**
 * Time that a member does not have: a live booking in any calendar (`start − before … end + after`
 * with the buffers it was booked with), a hold, or a busy time of his external calendar. The end is
 * left out, so that blocks which touch do not overlap.
 */
export interface Block {
  readonly memberId: string;
  readonly from: number;
  readonly until: number;
  /** Set where the booking is a seat of a class; seats of one type and start do not exclude each other. */
  readonly seat?: { readonly typeId: string; readonly start: number } | null;
}

/** What is taken already. Whoever moves an appointment leaves that appointment out of both. */
export interface BusyTimes {
  /** In any order: those of the schedule's members, and of a class the seats of its type whoever gives it. */
  readonly blocks: readonly Block[];
  /** The calendar's live bookings by the local date of their start; a date left out has none. */
  readonly perDate: ReadonlyMap<string, number>;
}

export interface Slot {
  readonly start: number;
  readonly end: number;
  /** The local date of the start. */
  readonly date: string;
  /**
   * Who may take it, in the schedule's order: one of them for a round-robin, all of them for a
   * collective calendar; for a class with seats taken the member who gives it.
   */
  readonly memberIds: readonly string[];
  /** Of a class; null for the other kinds. */
  readonly seatsRemaining: number | null;
}

/** Why a slot cannot be booked, in the order in which the reasons are looked for (contract 7). */
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
