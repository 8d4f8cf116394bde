import { WEEKDAYS, type Weekly, type Window } from './schedule.ts';

/** Windows of a day as the manifest writes them: `09:00-12:00`, up to `24:00`. */
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
