import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { eventQuery, findEvents } from './find-events.ts';

/** The fields that every event has (spec "Common data fields"). */
const eventData = Type.Object(
  {
    subAccountId: s.uuid(),
    locationId: Type.String(),
    contactId: Type.Optional(s.uuid()),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: true },
);

export const eventEndpoints = [
  defineKeyedEndpoint({
    id: 'events.list',
    method: 'GET',
    path: '/api/v1/events',
    summary: 'List the events of the last 30 days, oldest first',
    description:
      'Returns every event once, in the order in which the changes became visible. Pass `meta.cursor` as `after` to get the next page; it is never null and never expires. `hasMore: false` means that you have caught up: poll again later with the same cursor.',
    access: scope('webhooks:manage'),
    rate: 'read',
    paged: 'feed',
    query: eventQuery,
    data: Type.Array(
      s.response({ id: s.uuid(), event: Type.String(), timestamp: s.isoTime(), data: eventData }),
    ),
    read: ({ view, query, after }) => findEvents(view, query, after),
  }),
];
