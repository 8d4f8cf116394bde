import { findEvent, putEvent, type Put } from '../../calendars/external/caldav.ts';
import type { ExternalSetup } from '../../calendars/external/external-setup.ts';
import type { FetchOptions } from '../../calendars/external/fetch-ics.ts';
import { appointmentEvent, type AppointmentEvent } from '../feeds/appointment-event.ts';
import { icsText } from '../notices/ics-text.ts';

const CHANGED_MEANWHILE = 412;
const GONE = new Set([404, 410]);

/**
 * Writes the event of an appointment, over whatever it looks like there by now; answers its ETag where
 * the server tells it. A second time changes nothing. Rejects where it is not written.
 */
export async function putSyncedEvent(
  setup: ExternalSetup,
  url: string,
  { appointment, etag }: { readonly appointment: AppointmentEvent; readonly etag: string | null },
  way: FetchOptions,
): Promise<string | null> {
  const ics = await eventIcs(appointment);
  const first = await putEvent(setup, url, { ics, etag }, way);
  // Written before and not recorded, or changed or deleted there by somebody.
  const isOther = first.status === CHANGED_MEANWHILE || (etag !== null && GONE.has(first.status));
  return written(isOther ? await putOver(setup, url, ics, way) : first);
}

async function putOver(
  setup: ExternalSetup,
  url: string,
  ics: string,
  way: FetchOptions,
): Promise<Put> {
  const { status, etag } = await findEvent(setup, url, way);
  return putEvent(setup, url, { ics, etag: GONE.has(status) ? null : etag }, way);
}

function written({ status, etag }: Put): string | null {
  if (status < 200 || status >= 300) {
    throw new Error(`the external calendar answered ${status} to a hold`);
  }
  return etag;
}

async function eventIcs(appointment: AppointmentEvent): Promise<string> {
  const { default: ical } = await import('ical-generator');
  // Without a METHOD, which CalDAV forbids.
  const calendar = ical({ prodId: { company: 'Frontdesk', product: 'Hold', language: 'EN' } });
  calendar.createEvent(appointmentEvent(appointment));
  return icsText(calendar);
}
