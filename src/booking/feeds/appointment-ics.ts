import type { ICalCalendarData, ICalEventData } from 'ical-generator';
import { inSlices } from '#lib/in-slices.ts';
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
export async function customerIcs(appointments: readonly CustomerEvent[]): Promise<string> {
  const { head, pieceOf, tail } = await openIcs('Booking');
  const pieces = appointments.map((appointment) =>
    pieceOf({
      ...eventOf(appointment),
      description: appointment.host,
      url: appointment.url,
      ...(appointment.location && { location: appointment.location }),
      status: appointment.isCancelled ? 'CANCELLED' : 'CONFIRMED',
    }),
  );
  return head + pieces.join('') + tail;
}

export interface FeedEntry extends AppointmentEvent {
  readonly isConfirmed: boolean;
}

const FEED_TTL_SECONDS = 300;

/**
 * Returns a feed that calendar programs subscribe to. It may have thousands of entries: other work runs
 * while it is written.
 */
export async function feedIcs(
  subAccountId: string,
  { name, entries }: { readonly name: string; readonly entries: readonly FeedEntry[] },
): Promise<string> {
  const options = { name: calendarName(name), ttl: FEED_TTL_SECONDS };
  const { head, pieceOf, tail } = await openIcs('Feed', options);
  const pieces: string[] = [];
  await inSlices(subAccountId, entries, (entry) => {
    const status = entry.isConfirmed ? 'CONFIRMED' : 'TENTATIVE';
    pieces.push(pieceOf({ ...eventOf(entry), status }));
  });
  return head + pieces.join('') + tail;
}

/** Returns the event that blocks an appointment's time in a member's external calendar. */
export async function syncedEventIcs(appointment: AppointmentEvent): Promise<string> {
  const { head, pieceOf, tail } = await openIcs('Hold');
  return head + pieceOf(eventOf(appointment)) + tail;
}

type EventData = Omit<ICalEventData, 'status'> & {
  readonly status?: 'CANCELLED' | 'CONFIRMED' | 'TENTATIVE';
};

/** A calendar that is written event by event: the head, a piece for each event, and the tail. */
interface IcsWriter {
  readonly head: string;
  readonly pieceOf: (event: EventData) => string;
  readonly tail: string;
}

/** Every line ends in CRLF, the last one too (RFC 5545, 3.4). */
const END = 'END:VCALENDAR';

/**
 * Begins a calendar. There is no METHOD: CalDAV forbids it, and RFC 5546 requires an ORGANIZER with
 * each, while a sub-account may have no address.
 */
async function openIcs(
  product: string,
  options: Pick<ICalCalendarData, 'name' | 'ttl'> = {},
): Promise<IcsWriter> {
  // Keeps ical-generator out of processes that write no calendar.
  const { default: ical, foldLines, ICalEvent, ICalEventStatus } = await import('ical-generator');
  const calendar = ical({ prodId: { company: 'Frontdesk', product, language: 'EN' }, ...options });
  return {
    head: calendar.toString().slice(0, -END.length),
    pieceOf({ status, ...event }) {
      const data = { ...printed(event), ...(status && { status: ICalEventStatus[status] }) };
      return foldLines(new ICalEvent(data, calendar).toString());
    },
    tail: `${END}\r\n`,
  };
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
