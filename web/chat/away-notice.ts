import type { Configuration } from './configuration.ts';
import { describeHours } from './describe-hours.ts';
import { make } from './element.ts';
import { clockIcon } from './icons.ts';
import { language, words } from './words.ts';

/** Says that nobody is there, and when somebody will be. */
export function makeAwayNotice(
  { businessHours, timezone }: Configuration,
  lead: string,
): HTMLElement {
  const lines = describeHours(businessHours, language);
  const rows = lines.flatMap(({ days, windows }) => [
    make('dt', {}, days),
    make('dd', {}, ...windows.map((window) => make('span', {}, window))),
  ]);
  const zone = timezone === null ? undefined : words.zone(timezone.replaceAll('_', ' '));
  return make(
    'div',
    { class: 'away' },
    clockIcon(),
    make(
      'div',
      {},
      make('p', {}, lead),
      rows.length > 0 ? make('dl', { 'aria-label': words.hours }, ...rows) : undefined,
      rows.length > 0 && zone !== undefined ? make('p', { class: 'zone' }, zone) : undefined,
    ),
  );
}
