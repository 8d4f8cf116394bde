import type { WebhookEvent } from '@frontdesk/client';

/** Ids of handled events. Keep them in your database, with what the event changes there. */
const handled = new Set<string>();

/** Handles each event once: a delivery whose response was lost is repeated with the same id. */
export async function handle(event: WebhookEvent): Promise<void> {
  if (handled.has(event.id)) {
    return;
  }
  switch (event.event) {
    case 'contact.created':
      console.log(event.event, event.data.firstName);
      break;
    case 'appointment.booked':
      console.log(event.event, new Date(event.data.startTime).toISOString());
      break;
    default:
      // Later releases may add events: ignore those that you do not know.
      console.log(event.event);
  }
  // Last, so that an event whose handling failed is handled again.
  handled.add(event.id);
}
