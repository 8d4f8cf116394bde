import { DAY_MS } from '#lib/duration.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { html, type Html } from '#lib/html.ts';
import { hrefTo, type Choice, monthAfter } from './choice.ts';
import type { Picks } from './find-picks.ts';
import { formatTime, formatDate } from './format-time.ts';
import type { BookingLanguage } from './layout.ts';

interface Picker {
  readonly language: BookingLanguage;
  /** The page that a choice links to. */
  readonly path: string;
  readonly choice: Choice;
  readonly picks: Picks;
}

/** Returns a month and the free times of one day: links only, so that it works without a script. */
export function picker({ language, path, choice, picks }: Picker): Html {
  return html`<section class="when">${monthView({ language, path, choice, picks })}</section>
    <section class="times" id="times" aria-labelledby="day">
      ${times({ language, path, choice, picks })}
    </section>`;
}

function times({ language, path, choice, picks }: Picker): Html {
  const { messages, locale } = language;
  const { date, zone, days, month } = picks;
  if (date === undefined) {
    const text = messages.emptyMonth(formatDate('month', `${month}-01`, locale));
    return html`<h2 id="day" tabindex="-1" class="empty">${text}</h2>`;
  }
  return html`<h2
      id="day"
      tabindex="-1"
      aria-label="${messages.timesOn(formatDate('day', date, locale))}"
    >
      ${formatDate('slimDay', date, locale)}
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
              >${formatTime('time', startTime, { locale, zone })}
              ${seatsRemaining !== undefined && html`<small>${messages.seats(seatsRemaining)}</small>`}
            </a>
          </li>`,
      )}
    </ul>`;
}

const WEEK = 7;
const SOME_MONDAY = Date.UTC(2026, 0, 5);

/** Returns a month as a table of days; days with free times are links. */
function monthView({ language, path, choice, picks }: Picker): Html {
  const { locale, messages } = language;
  const { month, firstMonth, lastMonth } = picks;
  const monthLink = (by: number, label: string, isThere: boolean) =>
    isThere
      ? html`<a
          class="turn"
          rel="nofollow"
          data-swap
          href="${hrefTo(path, choice, { month: monthAfter(month, by), date: '', start: '' })}"
          ><span aria-hidden="true">${by < 0 ? '‹' : '›'}</span
          ><span class="unseen">${label}</span></a
        >`
      : html`<span class="turn" aria-hidden="true">${by < 0 ? '‹' : '›'}</span>`;
  const weeks = weeksOf(month, firstWeekday(locale));
  return html`<div class="month-head">
      <h2 id="month" tabindex="-1">${formatDate('month', `${month}-01`, locale)}</h2>
      <nav aria-label="${messages.chooseDay}">
        ${monthLink(-1, messages.earlier, month > firstMonth)}
        ${monthLink(1, messages.later, month < lastMonth)}
      </nav>
    </div>
    <table class="month" aria-labelledby="month">
      <thead>
        <tr>
          ${(weeks[1] ?? []).map(
            (date) =>
              html`<th scope="col" abbr="${formatDate('weekday', date, locale)}">
                ${formatDate('shortWeekday', date, locale)}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (week) =>
            html`<tr>
              ${week.map((date) => html`<td>${dayCell(date, { language, path, choice, picks })}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function dayCell(date: string, { language, path, choice, picks }: Picker): Html | false {
  const { messages, locale } = language;
  const { month, days, today } = picks;
  if (!date.startsWith(month)) {
    return false;
  }
  const count = days.get(date)?.length ?? 0;
  const number = Number(date.slice(-2));
  const mark = date === today && html`<span class="mark" title="${messages.today}"></span>`;
  if (count === 0) {
    return html`<span class="day">${number}${mark}</span>`;
  }
  const label = `${formatDate('shortDay', date, locale)}, ${messages.free(count)}`;
  return html`<a
    class="day"
    rel="nofollow"
    data-swap
    href="${hrefTo(path, choice, { month, date, start: '' })}#times"
    aria-label="${label}"
    ${date === picks.date && html`aria-current="date"`}
    >${number}${mark}</a
  >`;
}

/** Returns the dates of a month in whole weeks. */
function weeksOf(month: string, firstDay: number): string[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const next = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`);
  const before = (((first - SOME_MONDAY) / DAY_MS - (firstDay - 1)) % WEEK) + WEEK;
  const weeks: string[][] = [];
  for (let at = first - (before % WEEK) * DAY_MS; at < next; at += WEEK * DAY_MS) {
    const dates = Array.from({ length: WEEK }, (_, day) => new Date(at + day * DAY_MS));
    weeks.push(dates.map((date) => date.toISOString().slice(0, 10)));
  }
  return weeks;
}

interface WithWeeks {
  getWeekInfo?(): { readonly firstDay: number };
}

/** Returns the first day of the locale's week: 1 is Monday, 7 is Sunday. */
function firstWeekday(locale: string): number {
  const maximized = new Intl.Locale(locale).maximize() as Intl.Locale & WithWeeks;
  return maximized.getWeekInfo?.().firstDay ?? 1;
}

interface ZonePicker {
  readonly language: BookingLanguage;
  readonly path: string;
  readonly choice: Choice;
  readonly zone: string;
}

/** Returns a form that changes the time zone of all times on the page. */
export function zonePicker({ language: { messages }, path, choice, zone }: ZonePicker): Html {
  const { tz: _, ...others } = choice;
  return html`<form class="zone" method="get" action="${path}">
    <label for="tz">${messages.timeZone}</label>
    <span class="zone-field">
      <select id="tz" name="tz">
        <option value="${zone}" selected>${zoneName(zone)}</option>
        ${zoneOptions()}
      </select>
      ${Object.entries(others).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="quiet">${messages.change}</button>
    </span>
  </form>`;
}

/** Returns the visitor's time zone if it is a known one, else the default. */
export const zoneFor = (requested: string | undefined, otherwise: string): string =>
  requested !== undefined && FORMATS['time-zone']?.test(requested) ? requested : otherwise;

/** Returns the name that a page shows for a zone. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

/** Every zone, grouped by region. It is the same on every page, so it is built once. */
let options: Html | undefined;

const zoneOptions = (): Html => (options ??= listZones());

function listZones(): Html {
  const regions = Map.groupBy(['UTC', ...Intl.supportedValuesOf('timeZone')], regionOf);
  const groups = [...regions].map(
    ([region, zones]) => html`<optgroup label="${region}">${zones.map(option)}</optgroup>`,
  );
  return html`${groups}`;
}

/** There are four hundred zones: `value` is left out if it equals the shown name. */
const option = (zone: string): Html =>
  zoneName(zone) === zone
    ? html`<option>${zone}</option>`
    : html`<option value="${zone}">${zoneName(zone)}</option>`;

const regionOf = (zone: string): string => (zone.includes('/') ? zone.split('/')[0] : '') || 'UTC';
