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
  /** Whose appointment it is with; programs that want to answer it need the email. */
  readonly organizer: { readonly name: string; readonly email?: string | undefined };
}

export const ICS_TYPE = 'text/calendar; charset=utf-8';

/**
 * The appointment as an `.ics` file: the same UID for as long as it lives, a higher SEQUENCE after
 * each change, so that the one that is there already is moved, or struck out by METHOD CANCEL.
 */
export async function appointmentIcs(appointment: AppointmentForCalendar): Promise<string> {
  // Loaded with the first file that anybody wants.
  const {
    default: ical,
    ICalCalendarMethod: method,
    ICalEventStatus: status,
  } = await import('ical-generator');
  const { id, title, start, end, isCancelled, createdAt, updatedAt, url, organizer } = appointment;
  const { name, email } = organizer;
  const calendar = ical({
    prodId: { company: 'Frontdesk', product: 'Booking', language: 'EN' },
    method: isCancelled ? method.CANCEL : method.PUBLISH,
  });
  calendar.createEvent({
    id: `${id}@frontdesk`,
    sequence: Math.floor((updatedAt.getTime() - createdAt.getTime()) / 1_000),
    stamp: updatedAt,
    start,
    end,
    summary: title,
    description: name,
    url,
    status: isCancelled ? status.CANCELLED : status.CONFIRMED,
    ...(email && { organizer: { name, email } }),
  });
  return calendar.toString();
}
