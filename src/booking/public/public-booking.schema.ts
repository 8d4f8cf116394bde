import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import {
  appointmentCreate,
  appointmentSchema,
  visitorNames,
} from '../appointments/appointment.schema.ts';
import { availabilityQuery } from '../availability/availability.schema.ts';

const ID_MAX = 100;

/** Not `uuid`: a malformed id must be 404, not 400 (contract 4). */
const subAccountId = Type.String({ minLength: 1, maxLength: ID_MAX });

export const publicConfigQuery = s.request({ subAccountId });
export const publicAvailabilityQuery = s.request({ subAccountId, ...availabilityQuery.properties });
export const publicBooking = s.request({
  subAccountId,
  ...appointmentCreate.properties,
  ...visitorNames,
});

export const bookingConfig = s.response({
  subAccountId: s.uuid(),
  brand: Type.String({ examples: ['Harbour Dental'] }),
  timezone: s.timeZone(),
  types: Type.Array(
    s.response({
      id: s.uuid(),
      name: Type.String({ examples: ['Check-up'] }),
      slug: Type.String({ examples: ['check-up'] }),
      duration: Type.Integer({ description: 'minutes' }),
      calendarId: s.uuid(),
      description: Type.Optional(Type.String()),
      price: Type.Optional(Type.Number({ description: 'in `currency`' })),
      currency: Type.Optional(s.currency()),
      location: Type.Optional(Type.String()),
      hasVideoLink: Type.Optional(
        Type.Literal(true, {
          description: 'true if the type has a video link; it is shown only after the booking',
        }),
      ),
    }),
  ),
});

const { id, calendarId, appointmentTypeId, title, startTime, endTime, status, notes, createdAt } =
  appointmentSchema.properties;

/**
 * A visitor's own booking. Typing another person's email must reveal nothing about that contact: the
 * response has no contact id and repeats the values that were sent.
 */
export const bookedSchema = s.response({
  id,
  calendarId,
  appointmentTypeId,
  title,
  startTime,
  endTime,
  status,
  notes,
  createdAt,
  contact: s.response({
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    phone: s.nullable(Type.String()),
  }),
  manageUrl: Type.String({
    description: 'a page where anyone with the link can cancel or move the appointment',
    examples: ['https://crm.example.com/book/manage/nMmJ9nLYTuKW187_T0H…'],
  }),
});
