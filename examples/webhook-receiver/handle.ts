import type { WebhookEvent } from '@frontdesk/client';

/**
 * Your own code. If it throws, or the process ends before it returns, the event is handled again:
 * make the work safe to repeat, for example by storing its result under `event.id`.
 */
export async function handle(event: WebhookEvent): Promise<void> {
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
}
