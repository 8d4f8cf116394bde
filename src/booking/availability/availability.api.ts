import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import {
  availabilityMeta,
  availabilityQuery,
  costOfDays,
  slotSchema,
} from './availability.schema.ts';
import { findAvailability } from './find-availability.ts';
import { Type } from 'typebox';

export const availabilityEndpoints = [
  defineKeyedEndpoint({
    id: 'calendars.availability',
    method: 'GET',
    path: '/api/v1/calendars/availability',
    summary: 'Free slots of an appointment type, day by day',
    description:
      "Only what can be booked now: opening hours, overrides, bookings, buffers, notice and seats are accounted for. Each day costs one request of the key's rate; where fewer are left, the whole days that fit are returned with `truncated: true`. A type that is unknown or switched off returns an empty list.",
    access: scope('availability:read'),
    rate: 'read',
    cost: costOfDays,
    query: availabilityQuery,
    data: Type.Array(slotSchema),
    meta: availabilityMeta,
    read: ({ view, query, granted }) => findAvailability(view, query, granted),
  }),
];
