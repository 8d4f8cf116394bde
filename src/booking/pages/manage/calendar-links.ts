import { html, type Html } from '#lib/html.ts';
import type { ManagedContext } from './managed.ts';

/** Returns the links that add the appointment to the customer's own calendar. */
export function calendarLinks(context: ManagedContext, baseUrl: string): Html {
  const { messages } = context.language;
  const event = eventOf(context, baseUrl);
  return html`<div class="calendars" role="group" aria-label="${messages.addToCalendar}">
    <p aria-hidden="true">${messages.addToCalendar}</p>
    <p class="acts">
      <a class="quiet" rel="noreferrer" target="_blank" href="${googleUrl(event)}"
        >${messages.google}</a
      >
      <a class="quiet" rel="noreferrer" target="_blank" href="${outlookUrl(event)}"
        >${messages.outlook}</a
      >
      <a class="quiet" href="${context.path}/appointment.ics">${messages.file}</a>
    </p>
  </div>`;
}

interface CalendarEvent {
  readonly title: string;
  /** ISO 8601. */
  readonly start: string;
  readonly end: string;
  readonly details: string;
  readonly location: string;
}

function eventOf(
  { appointment: { startTime, endTime }, what, host, offer, path }: ManagedContext,
  baseUrl: string,
): CalendarEvent {
  return {
    title: `${what} · ${host.brand}`,
    start: new Date(startTime).toISOString(),
    end: new Date(endTime).toISOString(),
    details: baseUrl + path,
    location: offer?.type.location ?? offer?.type.videoUrl ?? '',
  };
}

/** Google documents no other way to fill in an event by a link. */
function googleUrl({ title, start, end, details, location }: CalendarEvent): string {
  const compact = (time: string) => time.replaceAll(/[-:]|\.\d+/g, '');
  const query = { text: title, dates: `${compact(start)}/${compact(end)}`, details, location };
  return `https://calendar.google.com/calendar/render?action=TEMPLATE&${queryOf(query)}`;
}

function outlookUrl({ title, start, end, details, location }: CalendarEvent): string {
  const query = { subject: title, startdt: start, enddt: end, body: details, location };
  return `https://outlook.live.com/calendar/0/deeplink/compose?rru=addevent&${queryOf(query)}`;
}

const queryOf = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
