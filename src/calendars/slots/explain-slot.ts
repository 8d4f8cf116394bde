import { MINUTE_MS } from '#lib/duration.ts';
import type { Refusal, Slot } from '../schedule.ts';
import { explainOutside } from './explain-outside.ts';
import { explainTaken } from './explain-taken.ts';
import { judgeSlot } from './judge-slot.ts';
import { offeringOf } from './offering.ts';
import type { Question } from './question.ts';
import { wallClock } from './wall-clock.ts';
import { localDate } from './zone.ts';

interface Explanation {
  readonly refusal: Refusal | null;
  readonly sentence: string;
}

/** The rule that hides a slot, with its figures, or who would take it. */
export function explainSlot(question: Question): Explanation {
  const { schedule, type, taken, start, now } = question;
  const end = start + type.duration * MINUTE_MS;
  const judged = judgeSlot(schedule, type, taken, { start, end, now });
  return typeof judged === 'string'
    ? { refusal: judged, sentence: sentenceOf(judged, question) }
    : { refusal: null, sentence: bookable(judged, question) };
}

function bookable({ start, memberIds, seatsRemaining }: Slot, question: Question): string {
  const { schedule, nameOf } = question;
  const names = memberIds.map(nameOf).join(schedule.kind === 'collective' ? ' and ' : ' or ');
  const seats = seatsRemaining === null ? '' : `, seats left: ${seatsRemaining}`;
  return `${wallClock(schedule.timezone, start)} can be booked with ${names}${seats}.`;
}

function sentenceOf(refusal: Refusal, question: Question): string {
  const { schedule, type, taken, start, now } = question;
  const { timezone } = schedule;
  const date = localDate(timezone, start);
  const time = wallClock(timezone, start);
  switch (refusal) {
    case 'invalid_duration':
      return `The type lasts ${type.duration} minutes.`;
    case 'slot_in_past':
      return `${time} is past: it is ${wallClock(timezone, now)} there.`;
    case 'too_soon':
      return `${time} is ${minutes(start - now)} minutes from now, and the calendar wants ${schedule.minimumNotice} minutes of notice.`;
    case 'too_far_ahead':
      return `${time} is ${days(start - now)} days from now, and the calendar opens ${schedule.maximumAdvance ?? days(start - now)} days ahead.`;
    case 'date_unavailable':
      return `An override closes ${date}.`;
    case 'day_unavailable':
    case 'outside_hours':
      return explainOutside(question);
    case 'day_full':
      return `${date} has ${taken.perDate.get(date) ?? 0} bookings, and the calendar takes ${schedule.maxPerDay} a day.`;
    case 'slot_unavailable':
      return explainTaken(question, offeringOf(schedule, type, taken));
  }
}

const minutes = (ms: number): number => Math.floor(ms / MINUTE_MS);
/** Rounded up, so that it never reads as the limit that it exceeds. */
const days = (ms: number): number => Math.ceil(ms / (144 * MINUTE_MS)) / 10;
