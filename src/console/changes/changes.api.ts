import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { followChanges } from './follow-changes.ts';

/** What changes in a sub-account while the console is open. */
export const changeEndpoints = [
  defineConsoleEndpoint({
    id: 'changes.stream',
    method: 'GET',
    path: '/console/api/v1/stream',
    summary: 'Stream changes as server-sent events',
    description:
      'Each change is an event of type `message` with `{topic, id}`: the id of a `conversation`, `message` (with its `conversationId`), `appointment`, `task`, `opportunity`, `campaign`, `run`, `delivery` or `approval`. Deliveries that are logged together are one event per subscription, with the newest. The stream begins with `ready`. It continues after `Last-Event-ID`, on any server; after an hour, or after more than 500 changes, it sends `reset` instead, and the reader reloads what it shows. It ends within 30 seconds of the session. Integrators get deliveries only.',
    access: memberRole('integrator'),
    rate: 'read',
    query: s.request({
      subAccountId: Type.Optional(s.uuid({ description: 'instead of `X-Sub-Account-Id`' })),
    }),
    data: Type.Null(),
    documents: ['text/event-stream'],
    stream: ({ view, tools, caller, lastEventId, signal }) =>
      followChanges(view, {
        topics: caller.role === 'integrator' ? new Set(['delivery']) : undefined,
        process: tools.notifications,
        clock: () => new Date(),
        lastEventId,
        signal,
      }),
  }),
];
