import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { bookableCalendars } from './offers.ts';
import { CALENDAR_KINDS } from './schedule.ts';

/** A calendar (spec "Calendar"), without any data of customers. */
const calendarSchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  type: s.oneOf(CALENDAR_KINDS),
  timezone: s.timeZone(),
});

/** An appointment type (spec "Appointment type"). */
const appointmentTypeSchema = s.response({
  id: s.uuid(),
  calendarId: s.uuid(),
  name: Type.String(),
  duration: Type.Integer({ minimum: 1, description: 'minutes' }),
  slug: Type.String(),
});

export const calendarEndpoints = [
  defineKeyedEndpoint({
    id: 'calendars.list',
    method: 'GET',
    path: '/api/v1/calendars',
    summary: 'List the active calendars',
    description:
      'In the order of the manifest, which configures them. Contains no data of customers.',
    access: scope('availability:read'),
    rate: 'read',
    data: Type.Array(calendarSchema),
    async read({ view }) {
      const calendars = await bookableCalendars(view);
      return {
        data: calendars.map(({ id, name, kind: type, timezone }) => ({ id, name, type, timezone })),
      };
    },
  }),

  defineKeyedEndpoint({
    id: 'calendars.types',
    method: 'GET',
    path: '/api/v1/calendars/types',
    summary: 'List the appointment types that can be booked',
    description: 'Active types in the order of the manifest, of one calendar or of all.',
    access: scope('availability:read'),
    rate: 'read',
    agent: { tool: 'find_times', does: 'Without a type, lists the types that can be booked.' },
    query: s.request({ calendarId: Type.Optional(s.uuid()) }),
    data: Type.Array(appointmentTypeSchema),
    async read({ view, query: { calendarId } }) {
      const calendars = await bookableCalendars(view);
      const selected = calendars.filter(({ id }) => calendarId === undefined || id === calendarId);
      return {
        data: selected.flatMap((calendar) =>
          calendar.types
            .filter(({ isActive }) => isActive)
            .map(({ id, name, duration, slug }) => {
              return { id, calendarId: calendar.id, name, duration, slug };
            }),
        ),
      };
    },
  }),
];
