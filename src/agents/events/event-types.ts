import type { EventType } from '#core/event.ts';
import type { Scope } from '#core/scope.ts';

/** The scope that reads the records of an event's noun. */
const SCOPE_OF_NOUN: Readonly<Record<string, Scope>> = {
  contact: 'contacts:read',
  form: 'contacts:read',
  invoice: 'contacts:read',
  message: 'conversations:read',
  appointment: 'appointments:read',
  opportunity: 'opportunities:read',
  task: 'tasks:read',
};

/** Returns the scope that a key needs for an event. */
export function scopeOfEvent(name: string): Scope {
  const scope = SCOPE_OF_NOUN[name.split('.')[0] ?? ''];
  if (scope === undefined) {
    throw new Error(`no scope reads the records of ${name}`);
  }
  return scope;
}

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
      delivery: ['poll'],
      inputSchema,
      payloadSchema: data,
    }));
