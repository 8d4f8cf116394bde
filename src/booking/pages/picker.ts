import { DAY_MS } from '#lib/duration.ts';
import { html, type Html } from '#lib/html.ts';
import { hrefTo, type Choice, monthAfter, monthOf } from './choice.ts';
import type { Picks } from './find-picks.ts';
import { formatTime, formatDate } from './format-time.ts';
import { clockOf, type BookingLanguage } from './layout.ts';

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
  const { date, zone, days, month, fullDays } = picks;
  if (date === undefined) {
    const text = messages.emptyMonth(formatDate('month', `${month}-01`, locale));
    return html`<h2 id="day" tabindex="-1" class="empty">${text}</h2>
      ${nextDay({ language, path, choice, picks })}`;
  }
  if (fullDays.has(date)) {
    return fullDay({ language, path, choice, picks }, date);
  }
  return html`<div class="times-head">
      <h2 id="day" tabindex="-1" aria-label="${messages.timesOn(formatDate('day', date, locale))}">
        ${formatDate('headDay', date, locale)}
      </h2>
      ${clockSwitch({ language, path, choice, picks })}
    </div>
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

/** Returns the way into the waiting list of a day without free times. */
const fullDay = ({ language: { messages, locale }, path, choice }: Picker, date: string): Html =>
  html`<h2 id="day" tabindex="-1">${formatDate('slimDay', date, locale)}</h2>
    <p class="hint">${messages.dayFull}</p>
    <p>
      <a
        class="quiet"
        rel="nofollow"
        href="${hrefTo(`${path}/wait`, choice, { date, start: '', month: '' })}"
        >${messages.joinWaiting}</a
      >
    </p>`;

/** Returns a link to the next day with free times, where the shown month has none. */
function nextDay({ language, path, choice, picks }: Picker): Html | false {
  const { messages, locale } = language;
  const { nextDate } = picks;
  return (
    nextDate !== undefined &&
    html`<p>
      <a
        class="quiet"
        rel="nofollow"
        data-swap
        href="${hrefTo(path, choice, { month: monthOf(nextDate), date: nextDate, start: '' })}#times"
        >${messages.nextFree(formatDate('slimDay', nextDate, locale))}</a
      >
    </p>`
  );
}

/** Returns the links that choose between a clock of 12 and of 24 hours. */
function clockSwitch({ language: { messages, locale }, path, choice, picks }: Picker): Html {
  const { month, date = '' } = picks;
  const current = clockOf(locale);
  return html`<nav class="clock" aria-label="${messages.clock}">
    ${(['12', '24'] as const).map(
      (clock) =>
        html`<a
          rel="nofollow"
          data-swap
          href="${hrefTo(path, choice, { clock, month, date })}#times"
          ${clock === current && html`aria-current="true"`}
          >${messages.hours(clock)}</a
        >`,
    )}
  </nav>`;
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
  const weeks = shownWeeks(picks, firstWeekday(locale));
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
          ${(weeks[0] ?? []).map(
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
  const { today } = picks;
  const month = monthOf(date);
  const shown = month === picks.month ? picks : month > picks.month && picks.following;
  if (!shown) {
    return false;
  }
  const { days, fullDays } = shown;
  const count = days.get(date)?.length ?? 0;
  const number = Number(date.slice(-2));
  const mark =
    date === today
      ? html`<span class="mark" title="${messages.today}"></span>`
      : month !== picks.month &&
        number === 1 &&
        html`<span
          class="next-month"
          data-month="${formatDate('shortMonth', date, locale)}"
        ></span>`;
  const isFull = fullDays.has(date);
  if (count === 0 && !isFull) {
    return html`<span class="day">${number}${mark}</span>`;
  }
  const state = isFull ? messages.full : messages.freeTimes(count);
  const label = `${formatDate('shortDay', date, locale)}, ${state}`;
  return html`<a
    class="${isFull ? 'day full' : 'day'}"
    rel="nofollow"
    data-swap
    href="${hrefTo(path, choice, { month, date, start: '' })}#times"
    aria-label="${label}"
    ${date === picks.date && html`aria-current="date"`}
    >${number}${mark}</a
  >`;
}

const ROWS = 5;
const FOLLOWING_WEEKS = 3;

/** Returns the weeks that are not over, filled up from the next month if this one is about to end. */
function shownWeeks({ month, today, following }: Picks, firstDay: number): string[][] {
  const weeks = weeksOf(month, firstDay).filter((week) => !isPast(week, today));
  const last = weeks.at(-1)?.at(-1) ?? '';
  const next = following
    ? weeksOf(monthAfter(month, 1), firstDay).filter(([first = '']) => first > last)
    : [];
  return [...weeks, ...next.slice(0, Math.min(FOLLOWING_WEEKS, ROWS - weeks.length))];
}

/** Weeks that are over take up the place of those that can be booked. */
const isPast = (week: readonly string[], today: string): boolean => (week.at(-1) ?? '') < today;

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
