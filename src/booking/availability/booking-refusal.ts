import { Fault } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { BusyTimes, Refusal } from '../../calendars/schedule.ts';
import {
  AHEAD_MS,
  ALTERNATIVES_MAX,
  freeFrom,
  searchOf,
  type Alternative,
  type Search,
} from './alternatives.ts';
import { busyParts } from './busy-parts.ts';

/** The refusals whose message names nothing of the type. */
type PlainRefusal = Exclude<Refusal, 'invalid_duration'>;

const MESSAGES: Readonly<Record<PlainRefusal, string>> = {
  slot_in_past: 'the slot has already started',
  too_soon: 'the slot starts sooner than the notice that the calendar requires',
  too_far_ahead: 'the slot is further ahead than the calendar accepts bookings',
  date_unavailable: 'the calendar is closed on that date',
  day_unavailable: 'the calendar is closed on that day of the week',
  outside_hours: 'the slot is not within the opening hours of the calendar',
  day_full: 'the calendar accepts no more appointments on that date',
  slot_unavailable:
    'the slot is taken, held for the waiting list, within a buffer or not a start that availability returns; choose one of details.alternatives, or request availability again',
};

/** The start that was refused. */
export interface RefusedStart {
  readonly offer: Offer;
  readonly startTime: number;
  /** The appointment that is being moved: its own time is free. */
  readonly except?: string | undefined;
  /** A start that the customer has already: it is no alternative. */
  readonly current?: number | undefined;
}

/** The search of the first day, and what was read for it. */
interface FirstDay {
  readonly search: Search;
  readonly busy: BusyTimes;
}

type Reader = Pick<View, 'subAccountId' | 'now' | 'rows'>;

/**
 * Returns the fault of a refused start, with the reason in `details.reason` (spec "Errors") and the next
 * free starts in `details.alternatives`. `firstDay` are the busy times of the first day if they were read.
 */
export async function refuseStart(
  reader: Reader,
  reason: Refusal,
  refused: RefusedStart,
  firstDay?: FirstDay,
): Promise<Fault> {
  const alternatives = await findAlternatives(reader, refused, firstDay);
  return reason === 'invalid_duration'
    ? refusalOf(reason, durationMessage(refused.offer), alternatives)
    : bookingRefusal(reason, alternatives);
}

const durationMessage = ({ type }: Offer): string =>
  `endTime must be startTime plus ${type.duration} minutes, the duration of the appointment type; send both times as availability returned them`;

/** Returns the fault of a refused start whose alternatives are known. */
export const bookingRefusal = (reason: PlainRefusal, alternatives: readonly Alternative[]): Fault =>
  refusalOf(reason, MESSAGES[reason], alternatives);

const refusalOf = (reason: Refusal, message: string, alternatives: readonly Alternative[]) =>
  new Fault('VALIDATION_ERROR', message, { reason, alternatives });

/** Returns the free starts that a refused booking names. */
export function alternativesIn({ details }: Fault): readonly Alternative[] {
  const { alternatives = [] }: { readonly alternatives?: readonly Alternative[] } = details ?? {};
  return alternatives;
}

/**
 * Returns up to three free starts of the type, from the refused start or now, up to 31 days ahead. The
 * busy times of the first day may be known; only if they leave too few starts, the others are read.
 */
async function findAlternatives(
  { subAccountId, now, rows }: Reader,
  { offer, startTime, except, current }: RefusedStart,
  firstDay?: FirstDay,
): Promise<readonly Alternative[]> {
  const { calendar, type } = offer;
  const { id: calendarId, schedule } = calendar;
  if (firstDay) {
    const { search, busy } = firstDay;
    const found = await freeFrom(subAccountId, { schedule, type, busy, current }, search);
    if (found.length === ALTERNATIVES_MAX) {
      return found;
    }
  }
  const all = searchOf(schedule, type, { startTime, now: now.getTime(), ahead: AHEAD_MS });
  if (!all) {
    return [];
  }
  const found: Alternative[] = [];
  const query = { calendarId, schedule, type, except, dates: { from: all.from, to: all.to } };
  for await (const { dates, busy } of busyParts({ rows, subAccountId }, query)) {
    const bookable = { schedule, type, busy, current };
    found.push(...(await freeFrom(subAccountId, bookable, { ...all, ...dates })));
    if (found.length >= ALTERNATIVES_MAX) {
      break;
    }
  }
  return found.slice(0, ALTERNATIVES_MAX);
}
