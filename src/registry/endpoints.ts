import type { Endpoint } from '#kit/endpoint.ts';
import { subAccountEndpoints } from '../accounts/sub-accounts.api.ts';
import { contactEndpoints } from '../contacts/contacts.api.ts';
import { callbackEndpoints } from '../conversations/callbacks.api.ts';
import { conversationEndpoints } from '../conversations/conversations.api.ts';
import { opportunityEndpoints } from '../opportunities/opportunities.api.ts';
import { pipelineEndpoints } from '../opportunities/pipelines.api.ts';
import { taskEndpoints } from '../tasks/tasks.api.ts';
import { deliveryEndpoints } from '../webhooks/deliveries.api.ts';
import { eventEndpoints } from '../webhooks/events.api.ts';
import { webhookEndpoints } from '../webhooks/webhooks.api.ts';
import { webhookEventNames } from './events.ts';

/** Every route of the API, in the order of the specification. */
export const endpoints: readonly Endpoint[] = [
  ...subAccountEndpoints,
  ...conversationEndpoints,
  ...callbackEndpoints,
  ...contactEndpoints,
  ...opportunityEndpoints,
  ...pipelineEndpoints,
  ...taskEndpoints,
  ...webhookEndpoints(webhookEventNames),
  ...deliveryEndpoints(webhookEventNames),
  ...eventEndpoints,
];
