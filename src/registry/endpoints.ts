import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { meEndpoints } from '../accounts/keys/me.api.ts';
import { subAccountEndpoints } from '../accounts/sub-accounts/sub-accounts.api.ts';
import { teamEndpoints } from '../accounts/team/team.api.ts';
import { availabilityEndpoints } from '../booking/availability/availability.api.ts';
import { appointmentEndpoints } from '../booking/appointments/appointments.api.ts';
import { publicBookingEndpoints } from '../booking/public/public-booking.api.ts';
import { verifiedCustomerEndpoints } from '../booking/verified/verified-customers.api.ts';
import { waitingEndpoints } from '../booking/waiting/waiting.api.ts';
import { campaignEndpoints } from '../campaigns/campaigns.api.ts';
import { catalogEndpoints } from '../catalog/catalog.api.ts';
import { calendarEndpoints } from '../calendars/calendars.api.ts';
import { chatEndpoints } from '../chat/chat.api.ts';
import { contactEndpoints } from '../contacts/contacts.api.ts';
import { callbackEndpoints } from '../conversations/inbound/callbacks.api.ts';
import { conversationEndpoints } from '../conversations/threads/conversations.api.ts';
import { fileEndpoints } from '../files/files.api.ts';
import { formEndpoints } from '../forms/forms.api.ts';
import { submissionEndpoints } from '../forms/submissions/submissions.api.ts';
import { invoiceEndpoints } from '../invoices/invoices.api.ts';
import { opportunityEndpoints } from '../opportunities/opportunities.api.ts';
import { pipelineEndpoints } from '../opportunities/pipelines/pipelines.api.ts';
import { taskEndpoints } from '../tasks/tasks.api.ts';
import { deliveryEndpoints } from '../webhooks/deliveries/deliveries.api.ts';
import { eventEndpoints } from '../webhooks/feed/events.api.ts';
import { webhookEndpoints } from '../webhooks/subscriptions/webhooks.api.ts';
import { workflowEndpoints } from '../workflows/triggers/workflows.api.ts';
import { webhookEventNames } from './events.ts';

/** All routes of the API, in the order of the specification. */
export const endpoints: readonly Endpoint[] = [
  ...meEndpoints,
  ...subAccountEndpoints,
  ...teamEndpoints,
  ...conversationEndpoints,
  ...fileEndpoints,
  ...callbackEndpoints,
  ...chatEndpoints,
  ...contactEndpoints,
  ...calendarEndpoints,
  ...availabilityEndpoints,
  ...appointmentEndpoints,
  ...waitingEndpoints,
  ...publicBookingEndpoints,
  ...catalogEndpoints,
  ...verifiedCustomerEndpoints,
  ...opportunityEndpoints,
  ...pipelineEndpoints,
  ...taskEndpoints,
  ...campaignEndpoints,
  ...webhookEndpoints(webhookEventNames),
  ...deliveryEndpoints(webhookEventNames),
  ...eventEndpoints,
  ...workflowEndpoints,
  ...formEndpoints,
  ...submissionEndpoints,
  ...invoiceEndpoints,
];
