import type { EventType } from '#core/event.ts';
import {
  appointmentBooked,
  appointmentCancelled,
  appointmentCompleted,
  appointmentConfirmed,
  appointmentNoShow,
  appointmentRescheduled,
} from '../booking/appointments/appointment.events.ts';
import {
  contactCreated,
  contactLifecycleChanged,
  contactTagAdded,
  contactUpdated,
} from '../contacts/contact.events.ts';
import {
  messageDelivered,
  messageFailed,
  messageReceived,
  messageSent,
} from '../conversations/messages/message.events.ts';
import { formSubmitted } from '../forms/form.events.ts';
import { invoicePaid } from '../invoices/invoice.events.ts';
import {
  opportunityCreated,
  opportunityDeleted,
  opportunityLost,
  opportunityStageChanged,
  opportunityUpdated,
  opportunityWon,
} from '../opportunities/opportunity.events.ts';
import { taskCompleted, taskCreated, taskDeleted, taskUpdated } from '../tasks/task.events.ts';

/** All events for subscriptions, in the order of the specification. */
export const events: readonly EventType[] = [
  contactCreated,
  contactUpdated,
  contactLifecycleChanged,
  contactTagAdded,
  messageReceived,
  messageSent,
  messageDelivered,
  messageFailed,
  appointmentBooked,
  appointmentCancelled,
  appointmentRescheduled,
  appointmentConfirmed,
  appointmentCompleted,
  appointmentNoShow,
  opportunityCreated,
  opportunityUpdated,
  opportunityStageChanged,
  opportunityWon,
  opportunityLost,
  opportunityDeleted,
  formSubmitted,
  invoicePaid,
  taskCreated,
  taskUpdated,
  taskCompleted,
  taskDeleted,
];

export const webhookEventNames: readonly string[] = events.map(({ name }) => name);
