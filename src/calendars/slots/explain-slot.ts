import { isOnGrid, contains } from './grid.ts';
import { judgeSlot } from './judge-slot.ts';
import {
  type RequestTime,
  type Offering,
  seatsAt,
  offeringOf,
  conflictAt,
  candidatesAt,
} from './slot-rules.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Block, BookableType, BusyTimes, Refusal, Schedule, Slot } from '../schedule.ts';
import { membersOf, openingsOf, type Opening, type Stretch, windowsOn } from './openings.ts';
import { dateOf, dayAt, localDate, timeOfDay, wallClock, weekdayOf, zoneAround } from './zone.ts';

interface Explanation {
  readonly refusal: Refusal | null;
  readonly sentence: string;
  readonly facts: SlotFacts;
}

/** The figures of a refusal, for a sentence in another language. Times are epoch milliseconds. */
export interface SlotFacts {
  readonly noticeMinutes?: number;
  readonly advanceDays?: number;
  /** How far apart the starts are, if this is none. */
  readonly stepMinutes?: number;
  readonly busy?: readonly {
    readonly name: string;
    readonly from: number;
    readonly until: number;
    /** When the waiting list gives the time back, if it holds it. */
    readonly heldUntil?: number;
  }[];
  /** The time of the slot with its buffers, if it has any. */
  readonly needed?: { readonly from: number; readonly until: number };
}

/** Returns the rule against a slot, with its figures, or the members who can take it. */
export function explainSlot(question: Question): Explanation {
  const { schedule, type, busy, start, now, current } = question;
  const end = start + type.duration * MINUTE_MS;
  const judged = judgeSlot(schedule, type, busy, { start, end, now, current });
  return typeof judged === 'string'
    ? { refusal: judged, sentence: sentenceOf(judged, question), facts: factsOf(judged, question) }
    : { refusal: null, sentence: bookable(judged, question), facts: {} };
}

function factsOf(refusal: Refusal, question: Question): SlotFacts {
  const { schedule, type, busy, start, nameOf } = question;
  const { minimumNotice, maximumAdvance, bufferBefore, bufferAfter } = schedule;
  if (refusal === 'too_soon') {
    return { noticeMinutes: minimumNotice };
  }
  if (refusal === 'too_far_ahead') {
    return maximumAdvance === null ? {} : { advanceDays: maximumAdvance };
  }
  if (refusal !== 'slot_unavailable') {
    return {};
  }
  const offering = offeringOf(schedule, type, busy);
  const members = candidatesAt(offering, start);
  const isBetweenStarts = (member: string) => {
    const around = stretchesAround(member, question, offering);
    return around.length > 0 && !isStart(around, question, offering);
  };
  if (members.some(isBetweenStarts)) {
    return { stepMinutes: offering.grid.step / MINUTE_MS };
  }
  const conflicts = members.flatMap((one) => {
    const conflict = conflictAt(offering, start, one);
    if (!conflict) {
      return [];
    }
    const { from, until } = conflict;
    const held = reservationOf(conflict, question);
    return [{ name: nameOf(one), from, until, ...(held && { heldUntil: held.expiresAt }) }];
  });
  const needed = neededTime(schedule, start, offering);
  return { busy: conflicts, ...(bufferBefore + bufferAfter > 0 && { needed }) };
}

function bookable({ start, memberIds, seatsRemaining }: Slot, question: Question): string {
  const { schedule, nameOf } = question;
  const names = memberIds.map(nameOf).join(schedule.kind === 'collective' ? ' and ' : ' or ');
  const seats = seatsRemaining === null ? '' : `, seats left: ${seatsRemaining}`;
  return `${wallClock(schedule.timezone, start)} can be booked with ${names}${seats}.`;
}

function sentenceOf(refusal: Refusal, question: Question): string {
  const { schedule, type, busy, start, now } = question;
  const { timezone } = schedule;
  const date = localDate(timezone, start);
  const time = wallClock(timezone, start);
  switch (refusal) {
    case 'invalid_duration':
      return `The type lasts ${type.duration} minutes.`;
    case 'slot_in_past':
      return `${time} has passed: it is ${wallClock(timezone, now)} in ${timezone}.`;
    case 'too_soon':
      return `${time} is ${minutes(start - now)} minutes from now, and the calendar requires ${schedule.minimumNotice} minutes of notice.`;
    case 'too_far_ahead':
      return `${time} is ${days(start - now)} days from now, and the calendar opens ${schedule.maximumAdvance ?? days(start - now)} days ahead.`;
    case 'date_unavailable':
      return `An override closes ${date}.`;
    case 'day_unavailable':
    case 'outside_hours':
      return explainOutside(question);
    case 'day_full':
      return `${date} has ${busy.perDate.get(date) ?? 0} bookings, and the calendar accepts ${schedule.maxPerDay} per day.`;
    case 'slot_unavailable':
      return explainTaken(question, offeringOf(schedule, type, busy));
  }
}

const minutes = (ms: number): number => Math.floor(ms / MINUTE_MS);
/** Rounded up, so that the figure never equals the limit that it exceeds. */
const days = (ms: number): number => Math.ceil(ms / (144 * MINUTE_MS)) / 10;

const DAY_NAMES = {
  mon: 'Mondays',
  tue: 'Tuesdays',
  wed: 'Wednesdays',
  thu: 'Thursdays',
  fri: 'Fridays',
  sat: 'Saturdays',
  sun: 'Sundays',
};

/** Returns why a start is outside the hours: a day off, or windows that the slot does not fit into. */
function explainOutside(question: Question): string {
  const { schedule, type, start, nameOf } = question;
  const { timezone } = schedule;
  const zone = zoneAround(timezone, start);
  const day = dayAt(zone, start);
  const openings = openingsOf(schedule, zone, day);
  if (typeof openings === 'string') {
    const weekday = weekdayOf(day);
    const off = membersOf(schedule).filter((one) => windowsOn(schedule, one, weekday).length === 0);
    const names = off.map(({ memberId }) => nameOf(memberId)).join(', ');
    return `No hours on ${DAY_NAMES[weekday]}: ${names || 'the calendar has no members'}.`;
  }
  const span = timesOf({ start, end: start + type.duration * MINUTE_MS }, timezone);
  const hours = openings.map((opening) => hoursOf(opening, question)).join('; ');
  return `${span} is outside the opening hours of ${dateOf(day)}: ${hours}.`;
}

function hoursOf({ memberIds, stretches }: Opening, { schedule, nameOf }: Question): string {
  const times = stretches.map((stretch) => timesOf(stretch, schedule.timezone));
  return `${times.join(', ') || 'none'} (${[...memberIds].map(nameOf).join(', ')})`;
}

/** Returns `09:00–12:00`; midnight as an end is 24:00. */
const timesOf = ({ start, end }: Stretch, timezone: string): string =>
  `${timeOfDay(timezone, start)}–${timeOfDay(timezone, end).replace('00:00', '24:00')}`;

/** Returns why no member can take a start within the hours: no seat, or each member's conflict. */
function explainTaken(question: Question, offering: Offering): string {
  const { type, start } = question;
  const seats = seatsAt(offering, start);
  if (seats !== null && seats <= 0) {
    return `All seats are taken: ${type.seats ?? 1}.${heldSeats(question)}`;
  }
  const conflicts = candidatesAt(offering, start).flatMap(
    (memberId) => conflictText(memberId, question, offering) ?? [],
  );
  return conflicts.length === 0 ? notGiven(question) : `${conflicts.join('; ')}.`;
}

/** The wanted member is none of the calendar, or another one gives the class. */
const notGiven = ({ schedule: { only = '' }, nameOf }: Question): string =>
  `${nameOf(only)} does not take this appointment.`;

function heldSeats({ type, start, schedule, held = [] }: Question): string {
  const seats = held.filter(({ seat }) => seat?.typeId === type.id && seat.start === start);
  const last = Math.max(...seats.map(({ expiresAt }) => expiresAt));
  return seats.length === 0
    ? ''
    : ` Held for the waiting list: ${seats.length}, until ${wallClock(schedule.timezone, last)}.`;
}

const reservationOf = (
  { memberId, from, until }: Block,
  { held = [] }: Question,
): ReservedBlock | undefined =>
  held.find((one) => one.memberId === memberId && one.from === from && one.until === until);

/** Returns the opening hours of a member that contain the whole slot. */
function stretchesAround(memberId: string, { schedule, start }: Question, offering: Offering) {
  const zone = zoneAround(schedule.timezone, start);
  const openings = openingsOf(schedule, zone, dayAt(zone, start));
  const own = Array.isArray(openings)
    ? openings.filter(({ memberIds }) => memberIds.has(memberId))
    : [];
  return own
    .flatMap(({ stretches }) => stretches)
    .filter((stretch) => contains(stretch, start, offering.grid));
}

type Stretches = ReturnType<typeof stretchesAround>;

const isStart = (around: Stretches, { start }: Question, { grid }: Offering): boolean =>
  around.some((stretch) => isOnGrid(stretch, start, grid));

function conflictText(
  memberId: string,
  question: Question,
  offering: Offering,
): string | undefined {
  const { schedule, start, nameOf } = question;
  const { timezone } = schedule;
  const name = nameOf(memberId);
  const around = stretchesAround(memberId, question, offering);
  const [first] = around;
  if (!first) {
    return `${name} is not at work`;
  }
  if (!isStart(around, question, offering)) {
    const step = offering.grid.step / MINUTE_MS;
    const from = timeOfDay(timezone, first.start);
    return `${timeOfDay(timezone, start)} is not a start time of ${name}: these are every ${step} minutes from ${from}`;
  }
  const conflict = conflictAt(offering, start, memberId);
  if (!conflict) {
    return undefined;
  }
  const time = timesOf({ start: conflict.from, end: conflict.until }, timezone);
  const held = reservationOf(conflict, question);
  const reason = held
    ? `${time} with ${name} is held for the waiting list until ${wallClock(timezone, held.expiresAt)}`
    : `${name} is busy ${time}`;
  return `${reason}, and the slot needs ${needed(schedule, start, offering)}`;
}

function needed(schedule: Question['schedule'], start: number, offering: Offering): string {
  const { from, until } = neededTime(schedule, start, offering);
  const buffers = schedule.bufferBefore + schedule.bufferAfter > 0 ? ' with its buffers' : '';
  return `${timesOf({ start: from, end: until }, schedule.timezone)}${buffers}`;
}

const neededTime = (
  { bufferBefore, bufferAfter }: Question['schedule'],
  start: number,
  { grid }: Offering,
) => ({
  from: start - bufferBefore * MINUTE_MS,
  until: start + grid.length + bufferAfter * MINUTE_MS,
});

/** A time that the waiting list holds for a person. */
export interface ReservedBlock extends Block {
  readonly expiresAt: number;
}

/** An operator's question: can this start be booked? */
interface Question extends RequestTime {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly busy: BusyTimes;
  readonly start: number;
  /** Those of the busy times that the waiting list holds. */
  readonly held?: readonly ReservedBlock[];
  /** Returns the name of a member. */
  readonly nameOf: (memberId: string) => string;
}
