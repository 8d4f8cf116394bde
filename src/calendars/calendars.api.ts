import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { pageQuery } from '#core/endpoint/paging.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { appointmentTypeSchema, listTypes } from './list-types.ts';
import { bookableCalendars } from './offers.ts';
import { CALENDAR_KINDS } from './schedule.ts';

/** A calendar (spec "Calendar"), without any data of customers. */
const calendarSchema = s.response({
  id: s.uuid(),
  name: Type.String(),
  type: s.oneOf(CALENDAR_KINDS),
  timezone: s.timeZone(),
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
    description:
      'Active types in the order of the manifest, of one calendar or of all. If any of several team members could take an appointment, `members` lists them. Send the id of one as `assignedTo`, with availability and with bookings. The list has no `limit`: a page ends at 4 MB.',
    access: scope('availability:read'),
    rate: 'read',
    agent: {
      tool: 'find_times',
      does: 'Without a type, lists the types that can be booked, with the members a customer can choose.',
    },
    query: s.request({ calendarId: Type.Optional(s.uuid()), cursor: pageQuery.cursor }),
    paged: 'size',
    data: Type.Array(appointmentTypeSchema),
    read: ({ view, query: { calendarId }, after, bytesMax }) =>
      listTypes(view, { calendarId, after, bytesMax }),
  }),
];
