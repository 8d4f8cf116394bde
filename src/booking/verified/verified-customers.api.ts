import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { prepareMove } from '../appointments/prepare-booking.ts';
import {
  cancelVerified,
  moveVerified,
  findActionable,
  findHistory,
} from './verified-appointments.ts';
import {
  verifiedCancel,
  verifiedLookup,
  verifiedMove,
  verifiedRow,
} from './verified-customer.schema.ts';

const IDENTIFIED =
  'The customer is the contact with this `contactId`, or the only one that matches two of `email`, `phone` and `lastName`. Every failed identification, and a customer without bookings, returns the same 404.';

/** Endpoints for a booking assistant and the customer it speaks with (spec "Conversational booking"). */
export const verifiedCustomerEndpoints = [
  defineKeyedEndpoint({
    id: 'booking.history',
    method: 'POST',
    path: '/api/v1/booking/appointments',
    summary: "List a verified customer's appointments",
    description: `All of them, cancelled and past ones included, the latest booking first; twenty at most, with \`hasMore\` where there are more. ${IDENTIFIED}`,
    access: scope('booking-appointments:read'),
    rate: 'read',
    body: verifiedLookup,
    data: Type.Array(verifiedRow, { maxItems: 20 }),
    meta: Type.Object({ hasMore: Type.Boolean() }),
    faults: ['NOT_FOUND'],
    read: ({ view, body }) => findHistory(view, body),
  }),

  defineKeyedEndpoint({
    id: 'booking.actionable',
    method: 'POST',
    path: '/api/v1/booking/appointments/actionable',
    summary: 'Find the one appointment that a verified customer can mean',
    description: `Without cancelled and past ones and those of a series. Where none is left, or several are, \`appointment\` is null and \`ambiguous\` true. ${IDENTIFIED}`,
    access: scope('booking-appointments:read'),
    rate: 'read',
    body: verifiedLookup,
    data: s.response({ appointment: s.nullable(verifiedRow) }),
    meta: Type.Object({ ambiguous: Type.Boolean() }),
    faults: ['NOT_FOUND'],
    read: ({ view, body }) => findActionable(view, body),
  }),

  defineKeyedEndpoint({
    id: 'booking.cancel',
    method: 'POST',
    path: '/api/v1/booking/appointments/cancel',
    summary: "Cancel a verified customer's appointment",
    description: `A second call returns the same with \`alreadyCancelled: true\`. 400 with the reason \`series\` (the admins are told), \`started\` or \`too_late\`. Fires \`appointment.cancelled\`. ${IDENTIFIED}`,
    access: scope('booking-appointments:write'),
    rate: 'write',
    body: verifiedCancel,
    data: s.response({
      id: s.uuid(),
      cancelled: Type.Boolean(),
      alreadyCancelled: Type.Boolean(),
    }),
    faults: ['NOT_FOUND'],
    write: ({ work, body }) => cancelVerified(work, body),
  }),

  defineKeyedEndpoint({
    id: 'booking.reschedule',
    method: 'POST',
    path: '/api/v1/booking/appointments/reschedule',
    summary: "Move a verified customer's appointment",
    description: `Take \`newStartTime\` and \`newEndTime\` from availability as they are. 400 with the reason \`series\` (the admins are told), \`started\`, \`reschedule_not_allowed\`, \`too_late\`, or the reason against the slot. Fires \`appointment.rescheduled\`. ${IDENTIFIED}`,
    access: scope('booking-appointments:write'),
    rate: 'write',
    body: verifiedMove,
    data: verifiedRow,
    faults: ['NOT_FOUND'],
    prepare: (call) => prepareMove(call, call.body.appointmentId),
    write: ({ work, body }) => moveVerified(work, body),
  }),
];
