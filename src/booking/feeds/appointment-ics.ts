import type { ICalCalendarData, ICalEventData } from 'ical-generator';
import { inOneLine } from '#platform/mail/mailer.ts';

/** The only file that writes iCalendar (RFC 5545): customers' files, feeds, and synced events. */
export const ICS_TYPE = 'text/calendar; charset=utf-8';

/** An appointment as a calendar event: when and what. */
export interface AppointmentEvent {
  readonly id: string;
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  readonly createdAt: Date;
  /** Changes with every change of the appointment. */
  readonly updatedAt: Date;
}

/** An appointment for the customer's own calendar. */
export interface CustomerEvent extends AppointmentEvent {
  readonly isCancelled: boolean;
  /** The page where the customer manages the appointment. */
  readonly url: string;
  /** The business that the appointment is with. */
  readonly host: string;
  /** The place, or the address of the video call. */
  readonly location?: string | null | undefined;
}

/** Returns one `.ics` file with all these appointments, for the customer's own calendar. */
export const customerIcs = (appointments: readonly CustomerEvent[]): Promise<string> =>
  writeIcs(
    'Booking',
    appointments.map((appointment) => ({
      ...eventOf(appointment),
      description: appointment.host,
      url: appointment.url,
      ...(appointment.location && { location: appointment.location }),
      status: appointment.isCancelled ? 'CANCELLED' : 'CONFIRMED',
    })),
  );

export interface FeedEntry extends AppointmentEvent {
  readonly isConfirmed: boolean;
}

const FEED_TTL_SECONDS = 300;

/** Returns a feed that calendar programs subscribe to. */
export const feedIcs = (name: string, entries: readonly FeedEntry[]): Promise<string> =>
  writeIcs(
    'Feed',
    entries.map((entry) => ({
      ...eventOf(entry),
      status: entry.isConfirmed ? 'CONFIRMED' : 'TENTATIVE',
    })),
    { name: calendarName(name), ttl: FEED_TTL_SECONDS },
  );

/** Returns the event that blocks an appointment's time in a member's external calendar. */
export const syncedEventIcs = (appointment: AppointmentEvent): Promise<string> =>
  writeIcs('Hold', [eventOf(appointment)]);

type EventData = Omit<ICalEventData, 'status'> & {
  readonly status?: 'CANCELLED' | 'CONFIRMED' | 'TENTATIVE';
};

/**
 * Writes one calendar. There is no METHOD: CalDAV forbids it, and RFC 5546 requires an ORGANIZER with
 * each, while a sub-account may have no address.
 */
async function writeIcs(
  product: string,
  events: readonly EventData[],
  options: Pick<ICalCalendarData, 'name' | 'ttl'> = {},
): Promise<string> {
  // Keeps ical-generator out of processes that write no calendar.
  const { default: ical, ICalEventStatus } = await import('ical-generator');
  const calendar = ical({ prodId: { company: 'Frontdesk', product, language: 'EN' }, ...options });
  for (const { status, ...event } of events) {
    calendar.createEvent({ ...printed(event), ...(status && { status: ICalEventStatus[status] }) });
  }
  // Every line ends in CRLF, the last one too (RFC 5545, 3.4).
  return `${calendar.toString().replace(/(?:\r?\n)*$/, '')}\r\n`;
}

/** Control characters may not stand in a file (RFC 5545, 3.1): programs refuse all of it. */
const CONTROLS = /[^\P{Cc}\r\n]|[\u2028\u2029]/gu;

/** Returns an event whose texts contain no control characters; line breaks are escaped later. */
const printed = <E extends object>(event: E): E =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(CONTROLS, ' ') : value,
    ]),
  ) as E;

/** The library writes the name of a calendar as it is. */
const calendarName = (name: string): string =>
  inOneLine(name.replaceAll(CONTROLS, ' ')).replaceAll(/[\\;,]/g, String.raw`\$&`);

/**
 * The UID is the same in every calendar and for the appointment's whole life. SEQUENCE rises with each
 * change, so that calendar programs move or cancel the event they already have.
 */
function eventOf(appointment: AppointmentEvent): EventData {
  const { id, title: summary, start, end, createdAt, updatedAt: stamp } = appointment;
  const sequence = Math.floor((stamp.getTime() - createdAt.getTime()) / 1_000);
  return { id: `${id}@frontdesk`, sequence, stamp, start, end, summary };
}

/** SQL columns of an `AppointmentEvent`: `a` is the appointment, `c` its contact or null. */
export const APPOINTMENT_EVENT = `a.id, concat_ws(': ', a.title,
      nullif(trim(concat_ws(' ', c.first_name, c.last_name)), '')) as title,
    a.start_time as start, a.end_time as "end", a.created_at as "createdAt",
    a.updated_at as "updatedAt"`;
