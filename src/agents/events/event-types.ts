import type { EventType } from '#core/event.ts';
import { scopeOfEvent } from '../../webhooks/feed/event-scopes.ts';

/** What an agent can narrow a subscription with. */
const inputSchema = {
  type: 'object',
  properties: {
    contactId: { type: 'string', format: 'uuid', description: 'only events of this contact' },
  },
  additionalProperties: false,
};

/** Returns the event types of a key, as `events/list` shows them (SEP-3415). */
export const eventTypesFor = (events: readonly EventType[], scopes: ReadonlySet<string>) =>
  events
    .filter(({ name }) => scopes.has(scopeOfEvent(name)))
    .map(({ name, summary, data }) => ({
      name,
      description: summary,
      delivery: ['webhook', 'poll'],
      inputSchema,
      payloadSchema: data,
    }));
