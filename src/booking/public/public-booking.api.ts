import { Type } from 'typebox';
import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { json, jsonText, type Json } from '#core/schema/json.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { namedSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import type { AppointmentCreate } from '../appointments/appointment.schema.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
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

interface BookDeps {
  readonly secrets: Secrets;
  /** The public URL of this server. */
  readonly baseUrl: string;
}

/** Books like a keyed call. The returned function gives the visitor's view of the written appointment. */
async function bookForVisitor(
  work: Work,
  input: AppointmentCreate,
  { secrets, baseUrl }: BookDeps,
): Promise<() => Promise<Json>> {
  const { id, record } = await bookAppointment(work, input);
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
