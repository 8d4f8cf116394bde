import { MINUTE_MS } from '#lib/duration.ts';
import type { Stretch } from './common-stretches.ts';
import { dateOf, weekdayOf } from './local-days.ts';
import { openingsOf, windowsOn, membersOf, type Opening } from './openings-of.ts';
import type { Question } from './question.ts';
import { timeOfDay } from './wall-clock.ts';
import { dayAt, zoneAround } from './zone.ts';

const DAY_NAMES = {
  mon: 'Mondays',
  tue: 'Tuesdays',
  wed: 'Wednesdays',
  thu: 'Thursdays',
  fri: 'Fridays',
  sat: 'Saturdays',
  sun: 'Sundays',
};

/** Why a start lies outside the hours: a day off, or the windows that the slot does not fit into. */
export function explainOutside(question: Question): string {
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
  return `${span} does not lie whole in one window of ${dateOf(day)}: ${hours}.`;
}

function hoursOf({ memberIds, stretches }: Opening, { schedule, nameOf }: Question): string {
  const times = stretches.map((stretch) => timesOf(stretch, schedule.timezone));
  return `${[...memberIds].map(nameOf).join(', ')} ${times.join(', ') || 'none'}`;
}

/** `09:00–12:00`; midnight ends a window as 24:00. */
export const timesOf = ({ start, end }: Stretch, timezone: string): string =>
  `${timeOfDay(timezone, start)}–${timeOfDay(timezone, end).replace('00:00', '24:00')}`;
