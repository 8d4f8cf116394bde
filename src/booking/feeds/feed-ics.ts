import { appointmentEvent } from './appointment-event.ts';
import type { FeedEntry } from './read-feed.ts';

const TTL_SECONDS = 300;

/** A whole feed. */
export async function feedIcs(name: string, entries: readonly FeedEntry[]): Promise<string> {
  const {
    default: ical,
    ICalCalendarMethod: method,
    ICalEventStatus: status,
  } = await import('ical-generator');
  const calendar = ical({
    prodId: { company: 'Frontdesk', product: 'Feed', language: 'EN' },
    method: method.PUBLISH,
    name,
    ttl: TTL_SECONDS,
  });
  for (const entry of entries) {
    const state = entry.isConfirmed ? status.CONFIRMED : status.TENTATIVE;
    calendar.createEvent({ ...appointmentEvent(entry), status: state });
  }
  return calendar.toString();
}
