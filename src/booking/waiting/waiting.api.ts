import { Type } from 'typebox';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { assertWaiting, findWaiting } from './find-waiting.ts';
import { removeFromWaiting } from './waiting-place.ts';
import { waitingPlaceSchema, waitingQuery } from './waiting.schema.ts';

/** The waiting list as the team sees it. */
export const waitingEndpoints = [
  defineKeyedEndpoint({
    id: 'waiting.list',
    method: 'GET',
    path: '/api/v1/calendars/waiting-list',
    summary: 'List who waits for a full day, first in line first',
    description:
      'Only days that are not over. `offer` is the freed slot that is held for the customer. Customers who booked or left are not listed.',
    access: scope('appointments:read'),
    rate: 'read',
    paged: true,
    query: waitingQuery,
    data: Type.Array(waitingPlaceSchema),
    read: ({ view, query, after }) => findWaiting(view, query, after),
  }),

  defineKeyedEndpoint({
    id: 'waiting.remove',
    method: 'DELETE',
    path: '/api/v1/calendars/waiting-list/:id',
    summary: 'Remove a customer from the waiting list',
    description:
      'A slot that is held for the customer is offered to the next in line. The customer gets no message. Fires no event.',
    access: scope('appointments:write'),
    rate: 'write',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => assertWaiting(view, id),
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id } }) {
      await removeFromWaiting(work, id);
      return { data: { id, deleted: true } };
    },
  }),
];
