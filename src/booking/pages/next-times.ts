import { html, type Html } from '#lib/html.ts';
import { localDate } from '../../calendars/slots/zone.ts';
import type { Alternative } from '../availability/alternatives.ts';
import { hrefTo, monthOf, type Choice } from './choice.ts';
import type { Picks } from './find-picks.ts';
import { formatTime } from './format-time.ts';
import type { BookingLanguage } from './layout.ts';

const NEXT_MAX = 3;

/** Returns the first free times of the shown month from a start on. */
export const nextPicks = ({ days }: Picks, start: number): readonly Alternative[] =>
  [...days.values()]
    .flat()
    .filter(({ startTime }) => startTime >= start)
    .slice(0, NEXT_MAX);

/** Returns `Tue, 1 December, 09:30`. */
export const nextTimeText = (
  startTime: number,
  { locale }: BookingLanguage,
  zone: string,
): string =>
  `${formatTime('slimDay', startTime, { locale, zone })}, ${formatTime('time', startTime, { locale, zone })}`;

interface NextTimes {
  readonly language: BookingLanguage;
  /** The page that a time links to. */
  readonly path: string;
  readonly choice: Choice;
  readonly zone: string;
  readonly times: readonly Alternative[];
}

/** Returns links to free times instead of a taken one; nothing without any. */
export function nextTimes({ language, path, choice, zone, times }: NextTimes): Html | false {
  const hrefOf = (startTime: number) => {
    const date = localDate(zone, startTime);
    return hrefTo(path, choice, { month: monthOf(date), date, start: String(startTime) });
  };
  return (
    times.length > 0 &&
    html`<nav class="next" aria-labelledby="next">
      <h2 id="next">${language.messages.nextTimes}</h2>
      <ul class="slots">
        ${times.map(
          ({ startTime }) =>
            html`<li>
              <a class="slot" rel="nofollow" data-swap href="${hrefOf(startTime)}"
                >${nextTimeText(startTime, language, zone)}</a
              >
            </li>`,
        )}
      </ul>
    </nav>`
  );
}
