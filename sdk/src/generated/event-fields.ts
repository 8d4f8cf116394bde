// Written by `node sdk/generate.ts` from the declarations in src/.
import type { ContactEvents } from './contact-events.ts';
import type { MessageEvents } from './message-events.ts';
import type { AppointmentEvents } from './appointment-events.ts';
import type { OpportunityEvents } from './opportunity-events.ts';
import type { FormEvents } from './form-events.ts';
import type { InvoiceEvents } from './invoice-events.ts';
import type { TaskEvents } from './task-events.ts';

/** What the `data` of every event holds. */
export type CommonFields = {
  subAccountId: string;
  locationId: string;
  contactId?: string;
  tags?: string[];
};

/** What it holds besides, by the event's name. */
export type EventFields = ContactEvents &
  MessageEvents &
  AppointmentEvents &
  OpportunityEvents &
  FormEvents &
  InvoiceEvents &
  TaskEvents;

/** What a subscription may ask for. */
export type EventName = keyof EventFields;

export const EVENT_NAMES = [
  'contact.created',
  'contact.updated',
  'contact.lifecycle_changed',
  'contact.tag_added',
  'message.received',
  'message.sent',
  'message.delivered',
  'message.failed',
  'appointment.booked',
  'appointment.cancelled',
  'appointment.rescheduled',
  'appointment.confirmed',
  'appointment.completed',
  'appointment.no_show',
  'opportunity.created',
  'opportunity.updated',
  'opportunity.stage_changed',
  'opportunity.won',
  'opportunity.lost',
  'opportunity.deleted',
  'form.submitted',
  'invoice.paid',
  'task.created',
  'task.updated',
  'task.completed',
  'task.deleted',
] as const satisfies readonly EventName[];
