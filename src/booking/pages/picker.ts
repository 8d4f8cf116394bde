import { html, type Html } from '#lib/html.ts';
import { hrefTo, type Choice } from './choice.ts';
import type { Picks } from './find-picks.ts';
import { monthView } from './month-view.ts';
import { say, sayDate } from './say-time.ts';
import type { Locale } from './messages/locale.ts';
import { sayZone, zoneOptions } from './zones.ts';

export interface Picker {
  readonly pageLocale: Locale;
  /** Where a choice leads. */
  readonly path: string;
  readonly choice: Choice;
  readonly picks: Picks;
}

/** A month, and the free times of one of its days: links only, so that it works without a script. */
export function picker({ pageLocale, path, choice, picks }: Picker): Html {
  return html`<section class="when">${monthView({ pageLocale, path, choice, picks })}</section>
    <section class="times" id="times" aria-labelledby="day">
      ${times({ pageLocale, path, choice, picks })}
    </section>`;
}

function times({ pageLocale, path, choice, picks }: Picker): Html {
  const { words, locale } = pageLocale;
  const { date, zone, days, month } = picks;
  if (date === undefined) {
    const said = words.emptyMonth(sayDate('month', `${month}-01`, locale));
    return html`<h2 id="day" tabindex="-1" class="empty">${said}</h2>`;
  }
  return html`<h2
      id="day"
      tabindex="-1"
      aria-label="${words.timesOn(sayDate('day', date, locale))}"
    >
      ${sayDate('slimDay', date, locale)}
    </h2>
    <ul class="slots">
      ${(days.get(date) ?? []).map(
        ({ startTime, seatsRemaining }) =>
          html`<li>
            <a
              class="slot"
              rel="nofollow"
              data-swap
              href="${hrefTo(path, choice, { month, date, start: String(startTime) })}"
              >${say('time', startTime, { locale, zone })}
              ${seatsRemaining !== undefined && html`<small>${words.seats(seatsRemaining)}</small>`}
            </a>
          </li>`,
      )}
    </ul>`;
}

/** The zone of all times, to be changed by a form of its own. */
export function zonePicker({ pageLocale: { words }, path, choice, zone }: ZonePicker): Html {
  const { tz: _, ...kept } = choice;
  return html`<form class="zone" method="get" action="${path}">
    <label for="tz">${words.timeZone}</label>
    <span class="zone-field">
      <select id="tz" name="tz">
        <option value="${zone}" selected>${sayZone(zone)}</option>
        ${zoneOptions()}
      </select>
      ${Object.entries(kept).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="quiet">${words.change}</button>
    </span>
  </form>`;
}

interface ZonePicker extends Omit<Picker, 'picks'> {
  readonly zone: string;
}
