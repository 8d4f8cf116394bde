import { icsText } from './ics-text.ts';

/** An appointment for the customer's own calendar. */
export interface AppointmentForCalendar {
  readonly id: string;
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  readonly isCancelled: boolean;
  readonly createdAt: Date;
  /** Moves with every change. */
  readonly updatedAt: Date;
  /** Where it is managed. */
  readonly url: string;
  /** The business that it is with. */
  readonly host: string;
}

export const ICS_TYPE = 'text/calendar; charset=utf-8';

/**
 * Returns the appointment as an `.ics` file: the same UID for as long as it lives and a higher SEQUENCE
 * after each change, so that a calendar program moves or cancels the event that it has. There is no
 * METHOD: RFC 5546 requires an ORGANIZER with each, and a sub-account may have no address.
 */
export async function appointmentIcs(appointment: AppointmentForCalendar): Promise<string> {
  // Loaded with the first file that anybody wants.
  const { default: ical, ICalEventStatus: status } = await import('ical-generator');
  const { id, title, start, end, isCancelled, createdAt, updatedAt, url, host } = appointment;
  const calendar = ical({
    prodId: { company: 'Frontdesk', product: 'Booking', language: 'EN' },
  });
  calendar.createEvent({
    id: `${id}@frontdesk`,
    sequence: Math.floor((updatedAt.getTime() - createdAt.getTime()) / 1_000),
    stamp: updatedAt,
    start,
    end,
    summary: title,
    description: host,
    url,
    status: isCancelled ? status.CANCELLED : status.CONFIRMED,
  });
  return icsText(calendar);
}
