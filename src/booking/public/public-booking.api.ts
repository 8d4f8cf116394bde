import { Type } from 'typebox';
import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { json, jsonText, type Json } from '#core/schema/json.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import type { Offer } from '../../calendars/offers.ts';
import { namedSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import type { AppointmentCreate } from '../appointments/appointment.schema.ts';
import { bookForVisitor } from '../appointments/book-appointment.ts';
import { prepareBooking } from '../appointments/refresh-before-booking.ts';
import { availabilityMeta, costOfDays, slotSchema } from '../availability/availability.schema.ts';
import { findAvailability } from '../availability/find-availability.ts';
import { manageLink } from '../pages/manage/manage-link.ts';
import {
  bookedSchema,
  bookingConfig,
  publicAvailabilityQuery,
  publicBooking,
  publicConfigQuery,
} from './public-booking.schema.ts';
import { hostOf, publicDays, publicOffers, type Host } from './public-offers.ts';

/** Endpoints for booking forms on any web site. */
export const publicBookingEndpoints = [
  definePublicEndpoint({
    id: 'public-booking.config',
    method: 'GET',
    path: '/api/booking/config',
    summary: 'Get the appointment types that visitors can book',
    limit: 'public_read',
    query: publicConfigQuery,
    data: bookingConfig,
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    async read({ view }) {
      const host = await hostOf(view);
      const { brand, timezone } = host;
      const offers = await publicOffers(view);
      const types = offers.map(({ calendar, type }) => {
        const { id, name, slug, duration } = type;
        return { id, name, slug, duration, calendarId: calendar.id, ...detailsOf(type, host) };
      });
      const { subAccountId } = view;
      return { data: { subAccountId, brand, timezone, types } };
    },
  }),

  definePublicEndpoint({
    id: 'public-booking.availability',
    method: 'GET',
    path: '/api/booking/availability',
    summary: 'List free slots for visitors by day',
    description:
      "Like `GET /api/v1/calendars/availability`. Each day counts against the limit `availability` of the caller's address. If too few are left, or if slots start every few minutes, the whole days that fit are returned with `truncated: true`. For a type without slots at all, `meta.unresolved` says whether it is unknown or inactive.",
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
      'Pass `startTime` and `endTime` exactly as availability returned them. If a contact has this email, the booking is theirs, and the contact is not changed. Otherwise a contact is created. The response reveals nothing about the contact. A refused start gives the reason in `details.reason`, and up to three free starts in `details.alternatives`. A contact that already has an appointment of the type at that start is refused with `slot_unavailable` and `details.alreadyBooked: true`, except in classes. Fires `appointment.booked`, after `contact.created` if a contact was created.',
    limit: 'booking',
    body: publicBooking,
    data: bookedSchema,
    status: 201,
    owner: async ({ body }) => namedSubAccount(body.subAccountId),
    prepare: prepareBooking,
    async write({ work, body: { subAccountId: _id, ...body }, tools, baseUrl }) {
      await hostOf(work);
      return { data: await bookPublicly(work, body, { secrets: tools.secrets, baseUrl }) };
    },
  }),
];

/** Returns what the manifest says about a type, without members that it leaves out. */
const detailsOf = (
  { description, price, location, videoUrl }: Offer['type'],
  { currency }: Host,
) => ({
  ...(description !== null && { description }),
  ...(price !== null && { price, currency }),
  ...(location !== null && { location }),
  ...(videoUrl !== null && { hasVideoLink: true }),
});

interface BookDeps {
  readonly secrets: Secrets;
  /** The public URL of this server. */
  readonly baseUrl: string;
}

/** Books for a visitor. The returned function gives the visitor's view of the written appointment. */
async function bookPublicly(
  work: Work,
  input: AppointmentCreate,
  { secrets, baseUrl }: BookDeps,
): Promise<() => Promise<Json>> {
  const { id, record } = await bookForVisitor(work, input);
  const { firstName, lastName, email, phone = null } = input;
  const contact = { firstName, lastName, email, phone };
  const { subAccountId } = work;
  const manageUrl = manageLink(secrets, baseUrl, { subAccountId, appointmentId: id });
  return async () => {
    const written = JSON.parse(jsonText(record())) as Record<string, unknown>;
    for (const name of HIDDEN) {
      delete written[name];
    }
    return json(JSON.stringify({ ...written, contact, manageUrl }));
  };
}

/** Members that visitors do not need or must not see. */
const HIDDEN = ['contactId', 'assignedTo', 'updatedAt', 'cancelReason', 'partOfSeries'];
