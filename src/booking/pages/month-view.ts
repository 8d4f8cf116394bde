import { DAY_MS } from '#lib/duration.ts';
import { html, type Html } from '#lib/html.ts';
import { hrefTo, monthAfter, type Choice } from './choice.ts';
import type { Picks } from './find-picks.ts';
import { sayDate } from './say-time.ts';
import type { Locale } from './messages/locale.ts';

interface MonthView {
  readonly pageLocale: Locale;
  readonly path: string;
  readonly choice: Choice;
  readonly picks: Picks;
}

const WEEK = 7;
/** A Monday. */
const SOME_MONDAY = Date.UTC(2026, 0, 5);

/** A month as a table of days; those with free times are links. */
export function monthView({ pageLocale, path, choice, picks }: MonthView): Html {
  const { locale, words } = pageLocale;
  const { month, firstMonth, lastMonth } = picks;
  const turn = (by: number, label: string, isThere: boolean) =>
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
      <h2 id="month" tabindex="-1">${sayDate('month', `${month}-01`, locale)}</h2>
      <nav aria-label="${words.chooseDay}">
        ${turn(-1, words.earlier, month > firstMonth)} ${turn(1, words.later, month < lastMonth)}
      </nav>
    </div>
    <table class="month" aria-labelledby="month">
      <thead>
        <tr>
          ${(weeks[1] ?? []).map(
            (date) =>
              html`<th scope="col" abbr="${sayDate('weekday', date, locale)}">
                ${sayDate('shortWeekday', date, locale)}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (week) =>
            html`<tr>
              ${week.map((date) => html`<td>${dayCell(date, { pageLocale, path, choice, picks })}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function dayCell(date: string, { pageLocale, path, choice, picks }: MonthView): Html | false {
  const { words, locale } = pageLocale;
  const { month, days, today } = picks;
  if (!date.startsWith(month)) {
    return false;
  }
  const count = days.get(date)?.length ?? 0;
  const number = Number(date.slice(-2));
  const mark = date === today && html`<span class="mark" title="${words.today}"></span>`;
  if (count === 0) {
    return html`<span class="day">${number}${mark}</span>`;
  }
  const label = `${sayDate('shortDay', date, locale)}, ${words.free(count)}`;
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

/** The dates of whole weeks around a month. */
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

/** 1 is Monday, 7 Sunday: as the country has it. */
function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale).maximize() as Intl.Locale & WithWeeks;
  return known.getWeekInfo?.().firstDay ?? 1;
}
