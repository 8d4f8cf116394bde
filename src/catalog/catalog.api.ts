import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { estimateSchema } from './estimate.schema.ts';
import { findEstimates } from './find-estimates.ts';
import { findServiceTypes, serviceTypeQuery } from './find-service-types.ts';
import { serviceTypeSchema } from './service-type.schema.ts';

const total = Type.Integer({ minimum: 0 });

/** Prices and quotes for booking assistants (spec "Conversational booking"). */
export const catalogEndpoints = [
  defineKeyedEndpoint({
    id: 'booking.service-types',
    method: 'GET',
    path: '/api/v1/booking/service-types',
    summary: 'List the services on sale',
    description:
      'Newest first. `total: 0` with `search: null` means that no price list is published; `total: 0` with a search means that nothing matches it.',
    access: scope('service-types:read'),
    rate: 'read',
    agent: { tool: 'prices_and_quotes', does: 'Lists services and prices.' },
    query: serviceTypeQuery,
    data: Type.Array(serviceTypeSchema),
    meta: Type.Object({
      total,
      hasMore: Type.Boolean(),
      limit: Type.Integer(),
      search: s.nullable(Type.String()),
    }),
    read: ({ view, query }) => findServiceTypes(view, query),
  }),

  defineKeyedEndpoint({
    id: 'booking.estimates',
    method: 'GET',
    path: '/api/v1/booking/estimates',
    summary: 'List the quotes of a contact in a current conversation',
    description:
      'At most 5 quotes, approved quotes first, then the newest. Returns the same 404 for an unknown, foreign or deleted contact, and for a contact without a message in an open or snoozed conversation in the last 24 hours.',
    access: scope('booking-estimates:read'),
    rate: 'read',
    agent: {
      tool: 'prices_and_quotes',
      does: 'With contactId, lists the quotes of a contact who is writing with you now.',
    },
    query: s.request({ contactId: s.uuid() }),
    faults: ['NOT_FOUND'],
    data: Type.Array(estimateSchema, { maxItems: 5 }),
    meta: Type.Object({ total }),
    read: ({ view, query: { contactId } }) => findEstimates(view, contactId),
  }),
];
