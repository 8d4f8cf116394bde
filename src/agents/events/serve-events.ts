import type { Server } from '@modelcontextprotocol/server';
import type { Static, TObject, TString } from 'typebox';
import type { EventType } from '#core/event.ts';
import { check } from '#core/schema/check.ts';
import type { Agents } from '../calls/call-tool.ts';
import { pollEvents, pollParams, unknownEvent } from './poll-events.ts';
import {
  subscribeEvents,
  subscribeParams,
  unsubscribeEvents,
  unsubscribeParams,
} from './subscribe-events.ts';
import type { Library } from '../mcp/library.ts';
import type { McpSession } from '../mcp/mcp-session.ts';
import { withProtocolErrors } from '../mcp/protocol-errors.ts';
import { scopeOfEvent } from '../../webhooks/feed/event-scopes.ts';

/** The extension of SEP-3415. */
export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events';

/** Serves the events of the feed to agents: the list of types, polling, and callbacks. */
export function serveEvents(
  server: Server,
  library: Library,
  agents: Agents,
  session: McpSession,
): void {
  const params = library.anyParams;
  const context = { agents, requestId: session.requestId, kind: 'event' } as const;
  const { events } = agents;
  server.setRequestHandler('events/list', { params }, () => ({
    events: session.policy.read === 'allow' ? eventTypesFor(events, session.scopes) : [],
  }));
  const serve = <S extends EventParams>(
    method: string,
    schema: S,
    handle: (agents: Agents, session: McpSession, given: Static<S>) => Promise<Result>,
  ) => {
    server.setRequestHandler(method, { params }, (sent) =>
      withProtocolErrors(library, context, async () => {
        const { _meta, ...given } = sent as Readonly<Record<string, unknown>>;
        const checked = check(schema, given, 'body');
        requireEvent(events, (checked as { readonly name: string }).name);
        return handle(agents, session, checked);
      }),
    );
  };
  serve('events/poll', pollParams, pollEvents);
  serve('events/subscribe', subscribeParams, subscribeEvents);
  serve('events/unsubscribe', unsubscribeParams, unsubscribeEvents);
}

type EventParams = TObject<{ readonly name: TString }>;

type Result = Readonly<Record<string, unknown>>;

/** Throws NOT_FOUND for a name that is not in the catalog. */
function requireEvent(events: readonly EventType[], name: string): void {
  if (!events.some((event) => event.name === name)) {
    throw unknownEvent(name);
  }
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
const eventTypesFor = (events: readonly EventType[], scopes: ReadonlySet<string>) =>
  events
    .filter(({ name }) => scopes.has(scopeOfEvent(name)))
    .map(({ name, summary, data }) => ({
      name,
      description: summary,
      delivery: ['webhook', 'poll'],
      inputSchema,
      payloadSchema: data,
    }));
