import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { Type } from 'typebox';
import { namedSubAccount } from '../../accounts/sub-accounts/named-sub-account.ts';
import { prepareBooking } from '../appointments/prepare-booking.ts';
import { availabilityMeta, costOfDays, slotSchema } from '../availability/availability.schema.ts';
import { findAvailability } from '../availability/find-availability.ts';
import {
  bookedSchema,
  bookingConfig,
  publicAvailabilityQuery,
  publicBooking,
  publicConfigQuery,
} from './public-booking.schema.ts';
import { bookForVisitor } from './book-for-visitor.ts';
import { hostOf, publicDays, publicOffers } from './public-offers.ts';

/** Endpoints for booking forms on any web site. */
export const publicBookingEndpoints = [
  definePublicEndpoint({
    id: 'public-booking.config',
    method: 'GET',
    path: '/api/booking/config',
    summary: 'Get the appointment types that visitors can book',
    query: publicConfigQuery,
    data: bookingConfig,
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    async read({ view }) {
      const { brand, timezone } = await hostOf(view);
      const offers = await publicOffers(view);
      const types = offers.map(({ calendar, type: { id, name, slug, duration } }) => {
        return { id, name, slug, duration, calendarId: calendar.id };
      });
      return { data: { subAccountId: view.subAccountId, brand, timezone, types } };
    },
  }),

  definePublicEndpoint({
    id: 'public-booking.availability',
    method: 'GET',
    path: '/api/booking/availability',
    summary: 'List free slots for visitors by day',
    description:
      "Like `GET /api/v1/calendars/availability`. Each day counts against the limit `availability` of the caller's address. If too few are left, or if slots start every few minutes, the whole days that fit are returned with `truncated: true`.",
    limit: 'availability',
    cost: costOfDays,
    query: publicAvailabilityQuery,
    data: Type.Array(slotSchema),
    meta: availabilityMeta,
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    async read({ view, query: { subAccountId: _id, ...query }, granted }) {
      await hostOf(view);
      return findAvailability(view, query, Math.min(granted, await publicDays(view, query)));
    },
  }),

  definePublicEndpoint({
    id: 'public-booking.create',
    method: 'POST',
    path: '/api/booking/appointments',
    summary: 'Book a slot as a visitor',
    description:
      'Pass `startTime` and `endTime` exactly as availability returned them. The contact with this email is used unchanged; without one, a contact is created. The response reveals nothing about it. A refusal gives the reason in `details.reason`. Fires `appointment.booked`, after `contact.created` if a contact was created.',
    limit: 'booking',
    body: publicBooking,
    data: bookedSchema,
    status: 201,
    owner: async ({ body }) => namedSubAccount(body.subAccountId),
    prepare: prepareBooking,
    async write({ work, body: { subAccountId: _id, ...body }, tools, baseUrl }) {
      await hostOf(work);
      return { data: await bookForVisitor(work, body, { secrets: tools.secrets, baseUrl }) };
    },
  }),
];
