import { MINUTE_MS } from '#lib/duration.ts';
import { timesOf } from './explain-outside.ts';
import { holds, isOnGrid } from './grid.ts';
import { conflictAt, seatsAt, wantedAt, type Offering } from './offering.ts';
import { openingsOf } from './openings-of.ts';
import type { Question } from './question.ts';
import { timeOfDay } from './wall-clock.ts';
import { dayAt, zoneAround } from './zone.ts';

/** Why nobody takes a start that lies within the hours: no seat, or what hinders each member. */
export function explainTaken(question: Question, offering: Offering): string {
  const { type, start, nameOf } = question;
  const seats = seatsAt(offering, start);
  if (seats !== null && seats <= 0) {
    return `All seats are taken: ${type.seats ?? 1}.`;
  }
  const conflicts = wantedAt(offering, start).flatMap((memberId) => {
    const conflict = conflictText(memberId, question, offering);
    return conflict ? [`${nameOf(memberId)} ${conflict}`] : [];
  });
  return `${conflicts.join('; ')}.`;
}

function conflictText(
  memberId: string,
  { schedule, start }: Question,
  offering: Offering,
): string | undefined {
  const { timezone } = schedule;
  const zone = zoneAround(timezone, start);
  const openings = openingsOf(schedule, zone, dayAt(zone, start));
  const own = Array.isArray(openings)
    ? openings.filter(({ memberIds }) => memberIds.has(memberId))
    : [];
  const around = own
    .flatMap(({ stretches }) => stretches)
    .filter((stretch) => holds(stretch, start, offering.grid));
  const [first] = around;
  if (!first) {
    return 'is not at work';
  }
  if (!around.some((stretch) => isOnGrid(stretch, start, offering.grid))) {
    const step = offering.grid.step / MINUTE_MS;
    return `starts every ${step} minutes from ${timeOfDay(timezone, first.start)}`;
  }
  const conflict_ = conflictAt(offering, start, memberId);
  if (!conflict_) {
    return undefined;
  }
  const taken = timesOf({ start: conflict_.from, end: conflict_.until }, timezone);
  return `is taken ${taken}, and ${needed(schedule, start, offering)} would be needed`;
}

function needed(
  { timezone, bufferBefore, bufferAfter }: Question['schedule'],
  start: number,
  { grid }: Offering,
): string {
  const from = start - bufferBefore * MINUTE_MS;
  const until = start + grid.length + bufferAfter * MINUTE_MS;
  const buffers = bufferBefore + bufferAfter > 0 ? ' with its buffers' : '';
  return `${timesOf({ start: from, end: until }, timezone)}${buffers}`;
}
