import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { prepareMove } from '../appointments/refresh-before-booking.ts';
import {
  cancelVerified,
  moveVerified,
  findActionable,
  findHistory,
} from './verified-appointments.ts';
import {
  movedVerifiedRow,
  verifiedCancel,
  verifiedLookup,
  verifiedMove,
  verifiedRow,
} from './verified-customer.schema.ts';

const IDENTIFIED =
  'Identify the customer by `contactId`, or by two of `email`, `phone` and `lastName` that match exactly one contact. A failed identification and a customer without bookings return the same 404.';

/** Endpoints for a booking assistant and the customer it speaks with (spec "Conversational booking"). */
export const verifiedCustomerEndpoints = [
  defineKeyedEndpoint({
    id: 'booking.history',
    method: 'POST',
    path: '/api/v1/booking/appointments',
    summary: "List a verified customer's appointments",
    description: `Returns the 20 latest bookings, newest first, including cancelled and past appointments. \`hasMore\` is true if there are more. ${IDENTIFIED}`,
    access: scope('booking-appointments:read'),
    rate: 'read',
    agent: {
      tool: 'customer_appointments',
      does: "Lists one customer's own appointments. Identify the customer by contactId, or by two of email, phone and lastName.",
    },
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
    summary: 'Find the only upcoming appointment of a verified customer',
    description: `Ignores cancelled and past appointments and those of a series. If none or several are left, \`appointment\` is null and \`ambiguous\` is true: list them to know which. ${IDENTIFIED}`,
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
    description: `Cancelling again returns the same response with \`alreadyCancelled: true\`. A refusal is 400 with the reason \`series\` (the admins are notified), \`started\` or \`too_late\`. Fires \`appointment.cancelled\`. ${IDENTIFIED}`,
    access: scope('booking-appointments:write'),
    rate: 'write',
    agent: {
      tool: 'customer_change',
      does: 'Cancels or moves an appointment for the customer who asks, after checking their identity as customer_appointments does.',
      risk: 'tells',
    },
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
    description: `Pass \`newStartTime\` and \`newEndTime\` exactly as availability returned them. A refusal is 400 with the reason \`series\` (the admins are notified), \`started\`, \`reschedule_not_allowed\`, \`too_late\`, or a reason against the slot. Fires \`appointment.rescheduled\`. ${IDENTIFIED}`,
    access: scope('booking-appointments:write'),
    rate: 'write',
    agent: {
      tool: 'customer_change',
      does: 'To move, give newStartTime and newEndTime from find_times.',
      risk: 'tells',
    },
    body: verifiedMove,
    data: movedVerifiedRow,
    faults: ['NOT_FOUND'],
    prepare: (call) => prepareMove(call, call.body.appointmentId),
    write: ({ work, body }) => moveVerified(work, body),
  }),
];
