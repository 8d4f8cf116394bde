import { icsText } from '../notices/ics-text.ts';
import { appointmentEvent } from './appointment-event.ts';
import type { FeedEntry } from './read-feed.ts';

const TTL_SECONDS = 300;

/** A whole feed. */
export async function feedIcs(name: string, entries: readonly FeedEntry[]): Promise<string> {
  const { default: ical, ICalEventStatus: status } = await import('ical-generator');
  // Without a METHOD: a feed is no message, and RFC 5546 requires an ORGANIZER with each.
  const calendar = ical({
    prodId: { company: 'Frontdesk', product: 'Feed', language: 'EN' },
    name,
    ttl: TTL_SECONDS,
  });
  for (const entry of entries) {
    const state = entry.isConfirmed ? status.CONFIRMED : status.TENTATIVE;
    calendar.createEvent({ ...appointmentEvent(entry), status: state });
  }
  return icsText(calendar);
}
