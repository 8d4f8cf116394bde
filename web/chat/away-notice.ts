import type { Configuration } from './api.ts';
import { describeHours } from './describe-hours.ts';
import { make } from './element.ts';
import { clockIcon } from './icons.ts';
import { language, texts } from './texts.ts';

/** A notice outside the chat hours, with the hours. */
export function makeAwayNotice(
  { businessHours, timezone }: Configuration,
  lead: string,
): HTMLElement {
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
      rows.length > 0 ? make('dl', { 'aria-label': texts.hours }, ...rows) : undefined,
      rows.length > 0 && zone !== undefined ? make('p', { class: 'zone' }, zone) : undefined,
    ),
  );
}
