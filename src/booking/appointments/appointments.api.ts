import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import { changeOf } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import {
  keyedAppointmentCreate,
  appointmentMove,
  appointmentPatch,
  appointmentSchema,
  REASON_MAX,
} from './appointment.schema.ts';
import { prepareBooking, prepareMove } from './refresh-before-booking.ts';
import { bookAppointment } from './book-appointment.ts';
import { countConfirmations } from '../notices/queue-notices.ts';
import { cancelAppointment, moveAppointment, setAppointmentStatus } from './change-appointment.ts';
import {
  appointmentQuery,
  findAppointments,
  readAppointment,
  theAppointment,
} from './read-appointments.ts';

/** Shared by all paths that name an appointment. */
const ofAppointment = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readAppointment(view, id),
};

export const appointmentEndpoints = [
  defineKeyedEndpoint({
    id: 'appointments.list',
    method: 'GET',
    path: '/api/v1/calendars/appointments',
    summary: 'List appointments, newest first',
    description:
      'Sorted by creation time; cancelled appointments are included. `startDate` and `endDate` (both inclusive) filter by start time.',
    access: scope('appointments:read'),
    rate: 'read',
    agent: {
      tool: 'list_appointments',
      does: 'Lists the appointments of all customers, by day, calendar or status.',
    },
    paged: true,
    query: appointmentQuery,
    data: Type.Array(appointmentSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: findAppointments,
  }),

  defineKeyedEndpoint({
    id: 'appointments.get',
    method: 'GET',
    path: '/api/v1/calendars/appointments/:id',
    summary: 'Get one appointment',
    access: scope('appointments:read'),
    rate: 'read',
    ...ofAppointment,
    data: appointmentSchema,
    read: async ({ view, params: { id } }) => ({ data: await readAppointment(view, id) }),
  }),

  defineKeyedEndpoint({
    id: 'appointments.create',
    method: 'POST',
    path: '/api/v1/calendars/appointments',
    summary: 'Book a slot',
    description:
      'Pass `startTime` and `endTime` exactly as availability returned them. Name the customer by `contactId`, or by `firstName`, `lastName` and `email` or `phone`. The contact is found by email, ignoring case, or by phone if no email is given. A contact that is found is not changed; if none is found, one is created. A phone of several contacts is refused with the reason `ambiguous_phone` and their ids in `details.contactIds`. `assignedTo` names the team member who must take it. A refused start gives the reason in `details.reason`, and up to three free starts in `details.alternatives`. Fires `appointment.booked`, after `contact.created` if a contact was created.',
    access: scope('appointments:write'),
    rate: 'write',
    agent: {
      tool: 'book_appointment',
      does: 'Books a free time from find_times. If the calendar has a confirmation, the customer gets it. Pass startTime and endTime exactly as find_times returned them. Name the customer by contactId, or by name and email or phone.',
      risk: 'tells',
      effects: countConfirmations,
    },
    body: keyedAppointmentCreate,
    data: appointmentSchema,
    status: 201,
    faults: ['NOT_FOUND'],
    prepare: prepareBooking,
    write: async ({ work, body }) => ({ data: (await bookAppointment(work, body)).record }),
  }),

  defineKeyedEndpoint({
    id: 'appointments.update',
    method: 'PATCH',
    path: '/api/v1/calendars/appointments/:id',
    summary: 'Confirm, complete or cancel an appointment, or mark it as a no-show',
    description:
      'Allowed: scheduled → confirmed, completed, no_show, cancelled; confirmed → completed, no_show, cancelled; completed ↔ no_show. `completed` and `no_show` can be set only after the start. Any other change returns 400 with the reason `invalid_transition`. Fires the event of the new status.',
    access: scope('appointments:write'),
    rate: 'write',
    agent: { risk: 'tells' },
    ...ofAppointment,
    body: appointmentPatch,
    data: appointmentSchema,
    async write({ work, params: { id }, body }) {
      await setAppointmentStatus(work, id, body.status);
      return { data: theAppointment(id) };
    },
  }),

  defineKeyedEndpoint({
    id: 'appointments.reschedule',
    method: 'POST',
    path: '/api/v1/calendars/appointments/:id/reschedule',
    summary: 'Move an appointment to another slot',
    description:
      'The new slot is checked and refused like a new booking; the current slot counts as free. The team member stays the same if they are free. `assignedTo` names the member who must take it. To change only the member, send the current times. Fires `appointment.rescheduled`, or nothing if nothing changes.',
    access: scope('appointments:write'),
    rate: 'write',
    agent: {
      tool: 'move_appointment',
      does: 'Moves an appointment to another free time from find_times. If the calendar has a confirmation, the customer gets one with the new time.',
      risk: 'tells',
      effects: countConfirmations,
    },
    ...ofAppointment,
    body: appointmentMove,
    data: appointmentSchema,
    prepare: (call) => prepareMove(call, call.params.id),
    write: changeOf(moveAppointment, theAppointment),
  }),

  defineKeyedEndpoint({
    id: 'appointments.cancel',
    method: 'DELETE',
    path: '/api/v1/calendars/appointments/:id',
    summary: 'Cancel an appointment',
    description:
      'Frees the slot. Fires `appointment.cancelled`. Cancelling again returns the same response and fires nothing.',
    access: scope('appointments:write'),
    rate: 'write',
    agent: {
      tool: 'cancel_appointment',
      does: 'Cancels an appointment. The customer gets no message: tell them yourself.',
      risk: 'tells',
    },
    ...ofAppointment,
    query: s.request({ reason: Type.Optional(s.shortText({ maxLength: REASON_MAX })) }),
    data: s.response({ id: s.uuid(), cancelled: Type.Boolean() }),
    async write({ work, params: { id }, query }) {
      await cancelAppointment(work, id, query.reason ?? null);
      return { data: { id, cancelled: true } };
    },
  }),
];
