import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { APPOINTMENT_STATUSES, REASON_MAX } from '../appointments/appointment.schema.ts';

const NAME_MAX = 200;

/** `contactId` alone, or two of the others (spec "Verified-customer identification"). */
const identification = {
  contactId: Type.Optional(
    s.nullable(s.uuid({ description: 'instead of email, phone and lastName' })),
  ),
  email: Type.Optional(s.nullable(s.email({ description: 'exactly as stored, including case' }))),
  phone: Type.Optional(s.nullable(s.phone({ description: 'E.164; no country code is guessed' }))),
  lastName: Type.Optional(
    s.nullable(
      s.shortText({ maxLength: NAME_MAX, description: 'ignoring case; not sufficient alone' }),
    ),
  ),
};

export const verifiedLookup = s.request(identification);
export type Identification = Static<typeof verifiedLookup>;

export const verifiedCancel = s.request({
  ...identification,
  appointmentId: s.uuid(),
  confirm: Type.Boolean({ const: true, description: 'must be true' }),
  reason: Type.Optional(s.nullable(s.shortText({ maxLength: REASON_MAX }))),
});
export type VerifiedCancel = Static<typeof verifiedCancel>;

export const verifiedMove = s.request({
  ...identification,
  appointmentId: s.uuid(),
  newStartTime: s.instant(),
  newEndTime: s.instant(),
});
export type VerifiedMove = Static<typeof verifiedMove>;

/** An appointment as a booking assistant may show it to the customer (contract 7). */
export const verifiedRow = s.response({
  appointmentId: s.uuid(),
  label: Type.String({ examples: ['Tue, 1 Dec 2026, 09:00'] }),
  start: s.isoTime(),
  end: s.isoTime(),
  startTime: s.epochMs(),
  endTime: s.epochMs(),
  timezone: s.timeZone(),
  status: s.oneOf(APPOINTMENT_STATUSES),
  appointmentTypeName: s.nullable(Type.String()),
  partOfSeries: Type.Boolean(),
  canCancel: Type.Boolean(),
  canReschedule: Type.Boolean(),
});
export type VerifiedRow = Static<typeof verifiedRow>;

/** A moved appointment also has the `id` of the other responses to a change (contract 7). */
export const movedVerifiedRow = s.response({
  id: s.uuid({ description: 'the same as appointmentId' }),
  ...verifiedRow.properties,
});
