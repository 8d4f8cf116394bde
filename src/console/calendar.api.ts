import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { readAppointment } from '../booking/appointments/read-appointments.ts';
import {
  costOfDays,
  keyedAvailabilityQuery,
  slotSchema,
} from '../booking/availability/availability.schema.ts';
import { findSchedule } from '../booking/availability/find-schedule.ts';
import { findSlotsOfMove } from '../booking/availability/find-availability.ts';
import { takenSchema } from '../booking/availability/taken-times.ts';

const { date, endDate, assignedTo } = keyedAvailabilityQuery.properties;

/** What the calendar page shows behind and around the appointments. */
export const calendarPageEndpoints = [
  defineConsoleEndpoint({
    id: 'calendars.schedule',
    method: 'GET',
    path: '/console/api/v1/calendars/schedule',
    summary: 'Show opening hours, busy times, holds and buffers',
    description:
      "The days are those of the sub-account's time zone, at most 31. `hours` are the opening hours of each calendar; `group` is the index of the members who work then in `groups`. `taken` is the time of a member that cannot be booked: `busy` in the external calendar, `reserved` for a person of the waiting list, a `buffer` around an appointment. A calendar without members has its own id as the member. `classes` are the types with several seats for each start. The response ends after as many whole days as fit in 4 MB, or within the first day.",
    access: memberScope('appointments:read'),
    rate: 'read',
    query: s.request({ date: s.isoDate({ description: 'the first day' }), endDate }),
    data: s.response({
      groups: Type.Array(Type.Array(s.uuid())),
      hours: Type.Array(
        s.response({
          calendarId: s.uuid(),
          group: Type.Integer({ minimum: 0 }),
          startTime: s.isoTime(),
          endTime: s.isoTime(),
        }),
      ),
      taken: Type.Array(takenSchema),
      classes: Type.Array(
        s.response({ appointmentTypeId: s.uuid(), name: Type.String(), seats: Type.Integer() }),
      ),
    }),
    meta: Type.Object({
      days: Type.Integer(),
      daysReturned: Type.Integer(),
      truncated: Type.Boolean(),
    }),
    read: ({ view, query }) => findSchedule(view, query),
  }),
  defineConsoleEndpoint({
    id: 'appointments.slots',
    method: 'GET',
    path: '/console/api/v1/calendars/appointments/:id/slots',
    summary: 'List the slots that an appointment can be moved to',
    description:
      "As availability of its type, but the appointment's own time counts as free. Each day costs one request of the rate.",
    access: memberScope('appointments:read'),
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view: View, { id }) => readAppointment(view, id),
    cost: costOfDays,
    query: s.request({ date, endDate, assignedTo }),
    data: Type.Array(slotSchema),
    read: async ({ view, params: { id }, query, granted }) => ({
      data: await findSlotsOfMove(view, id, query, granted),
    }),
  }),
];
