import type { Configuration } from './api.ts';
import { describeHours } from './describe-hours.ts';
import { timeOfDay } from './describe-time.ts';
import { make } from './element.ts';
import { clockIcon } from './icons.ts';
import { nextOpening } from './opening.ts';
import { language, texts } from './texts.ts';

/** A notice outside the chat hours, with the hours. */
export function makeAwayNotice(configuration: Configuration, lead: string): HTMLElement {
  const { businessHours, timezone } = configuration;
  const opening = nextOpening(configuration);
  const lines = describeHours(businessHours, language);
  const rows = lines.flatMap(({ days, windows }) => [
    make('dt', {}, days),
    make('dd', {}, ...windows.map((window) => make('span', {}, window))),
  ]);
  const zone = timezone === null ? undefined : texts.zone(timezone.replaceAll('_', ' '));
  return make(
    'div',
    { class: 'away' },
    clockIcon(),
    make(
      'div',
      {},
      make('p', {}, lead),
      opening === undefined ? undefined : make('p', {}, texts.back(describeOpening(opening))),
      rows.length > 0 ? make('dl', { 'aria-label': texts.hours }, ...rows) : undefined,
      rows.length > 0 && zone !== undefined ? make('p', { class: 'zone' }, zone) : undefined,
    ),
  );
}

/** Returns the weekday and the time in the visitor's own time zone. */
function describeOpening(opening: number): string {
  const at = new Date(opening);
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' }).format(at);
  return `${weekday}, ${timeOfDay(at, language)}`;
}
