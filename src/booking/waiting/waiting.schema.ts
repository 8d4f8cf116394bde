import { Type, type Static } from 'typebox';
import { pageQuery } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';

const text = s.nullable(Type.String());

/** A place in the waiting list as every endpoint shows it. */
export const waitingPlaceSchema = s.response({
  id: s.uuid(),
  calendarId: s.uuid(),
  appointmentTypeId: s.uuid(),
  contactId: s.uuid(),
  contact: s.response({
    firstName: Type.String(),
    lastName: Type.String(),
    email: text,
    phone: text,
  }),
  status: s.oneOf(['waiting', 'offered']),
  date: s.isoDate({ description: 'the full day, in `timezone`' }),
  timezone: s.timeZone({ description: "the customer's time zone" }),
  createdAt: s.isoTime({ description: 'since when the customer waits' }),
  offer: s.nullable(
    s.response({
      startTime: s.isoTime(),
      endTime: s.isoTime(),
      expiresAt: s.isoTime({ description: 'until when the slot is held for the customer' }),
    }),
  ),
});
export type ListedPlace = Static<typeof waitingPlaceSchema>;

export const waitingQuery = s.request({
  ...pageQuery,
  calendarId: Type.Optional(s.uuid()),
  appointmentTypeId: Type.Optional(s.uuid()),
});
