import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import {
  costOfDays,
  keyedAvailabilityMeta,
  keyedAvailabilityQuery,
  slotSchema,
} from './availability.schema.ts';
import { findAvailabilityForKey } from './find-availability.ts';
import { Type } from 'typebox';

export const availabilityEndpoints = [
  defineKeyedEndpoint({
    id: 'calendars.availability',
    method: 'GET',
    path: '/api/v1/calendars/availability',
    summary: 'List the free slots of an appointment type by day',
    description:
      "Returns only slots that can be booked now. Opening hours, overrides, bookings, buffers, notice and seats are taken into account. Each day costs one request of the key's rate. If too few requests are left, the whole days that fit are returned with `truncated: true`. An unknown or inactive type returns an empty list; `meta.unresolved` says which, and `meta.known` lists the slugs of the active types.",
    access: scope('availability:read'),
    rate: 'read',
    agent: {
      tool: 'find_times',
      does: 'Lists free times of an appointment type from date to endDate.',
    },
    cost: costOfDays,
    query: keyedAvailabilityQuery,
    data: Type.Array(slotSchema),
    meta: keyedAvailabilityMeta,
    read: ({ view, query, granted }) => findAvailabilityForKey(view, query, granted),
  }),
];
