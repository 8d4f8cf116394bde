import * as s from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import { appointmentCreate, appointmentSchema } from '../appointments/appointment.schema.ts';
import { availabilityQuery } from '../availability/availability-query.ts';

const ID_MAX = 100;

/** Any text: one that names nothing is unknown, however it is written (contract 4). */
const subAccountId = Type.String({ minLength: 1, maxLength: ID_MAX });

export const publicConfigQuery = s.request({ subAccountId });
export const publicAvailabilityQuery = s.request({ subAccountId, ...availabilityQuery.properties });
export const publicBooking = s.request({ subAccountId, ...appointmentCreate.properties });

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
    }),
  ),
});

const { id, calendarId, appointmentTypeId, title, startTime, endTime, status, notes, createdAt } =
  appointmentSchema.properties;

/**
 * What a visitor is told of his own booking. Whoever types somebody's address must learn nothing of
 * that contact: not his id, and of the rest only what was typed just now.
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
    description: 'a page where the appointment can be cancelled or moved by whoever has the link',
    examples: ['https://crm.example.com/book/manage/nMmJ9nLYTuKW187_T0H…'],
  }),
});
