import { pattern } from '#core/schema/describe-error.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const APPOINTMENT_STATUSES = [
  'scheduled',
  'confirmed',
  'completed',
  'cancelled',
  'no_show',
] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** Returns whether the appointment is neither cancelled nor marked with an outcome. */
export const isLive = (status: AppointmentStatus): status is 'scheduled' | 'confirmed' =>
  status === 'scheduled' || status === 'confirmed';

const MAY_BECOME: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  scheduled: ['confirmed', 'completed', 'no_show', 'cancelled'],
  confirmed: ['completed', 'no_show', 'cancelled'],
  completed: ['no_show'],
  no_show: ['completed'],
  cancelled: [],
};

/** Outcomes, which can be set only after the start. */
const OUTCOMES: ReadonlySet<AppointmentStatus> = new Set(['completed', 'no_show']);

/** Returns whether one status may follow a different one (contract 7). */
export const canBecome = (
  from: AppointmentStatus,
  to: AppointmentStatus,
  hasStarted: boolean,
): boolean => MAY_BECOME[from].includes(to) && (hasStarted || !OUTCOMES.has(to));

const NAME_MAX = 200;
const NOTES_MAX = 5_000;
export const REASON_MAX = 1_000;

const name = s.shortText({ maxLength: NAME_MAX });

/** The times of a slot, exactly as availability returned them. */
const slotTimes = { startTime: s.instant(), endTime: s.instant() };

/** A customer's details. Their contact is found by email, ignoring case, or created (spec "Book body"). */
const customer = {
  firstName: name,
  lastName: name,
  email: s.email(),
  phone: Type.Optional(s.nullable(s.phone())),
};

export const appointmentCreate = s.request({
  appointmentTypeId: s.uuid(),
  ...slotTimes,
  ...customer,
  notes: Type.Optional(s.nullable(Type.String({ maxLength: NOTES_MAX }))),
});
export type AppointmentCreate = Static<typeof appointmentCreate>;

/** The address of a website, as a regular expression. */
export const WEBSITE = String.raw`(?:://|[wW]{3}\.|[\w-]\.[A-Za-z]{2,}/)`;

/**
 * The name of a visitor. Confirmations repeat it to an address that anyone may have typed, and must not
 * carry a link there.
 */
const visitorName = s.shortText({
  maxLength: NAME_MAX,
  ...pattern(`^(?![\\s\\S]*${WEBSITE})`, 'must not contain the address of a website'),
});

/** The names of a booking by a visitor. */
export const visitorNames = { firstName: visitorName, lastName: visitorName };

/** A booking with a key: `contactId` instead of the customer's details, or a phone instead of the email. */
export const keyedAppointmentCreate = s.request({
  ...appointmentCreate.properties,
  contactId: Type.Optional(
    s.nullable(s.uuid({ description: 'instead of firstName, lastName and email' })),
  ),
  ...s.partial({ firstName: s.nullable(name), lastName: s.nullable(name) }),
  email: Type.Optional(
    s.nullable(s.email({ description: 'required unless phone or contactId is given' })),
  ),
  assignedTo: Type.Optional(
    s.nullable(
      s.uuid({
        description: 'the team member who must take it; by default, the calendar decides',
      }),
    ),
  ),
});

export const appointmentPatch = s.request({ status: s.oneOf(APPOINTMENT_STATUSES) });

export const appointmentMove = s.request({
  ...slotTimes,
  assignedTo: Type.Optional(
    s.uuid({
      description:
        'the team member who takes the appointment; without it, the current one if they are free, else another one',
    }),
  ),
});
export type AppointmentMove = Static<typeof appointmentMove>;
export type SlotTimes = Pick<AppointmentMove, 'startTime' | 'endTime'>;

/** The appointment as every endpoint shows it (spec "Appointment"; the last three are additive). */
export const appointmentSchema = s.response({
  id: s.uuid(),
  calendarId: s.uuid(),
  appointmentTypeId: s.nullable(s.uuid()),
  contactId: s.nullable(s.uuid()),
  title: s.nullable(Type.String()),
  startTime: s.isoTime(),
  endTime: s.isoTime(),
  status: s.oneOf(APPOINTMENT_STATUSES),
  assignedTo: s.nullable(s.uuid()),
  notes: s.nullable(Type.String()),
  createdAt: s.isoTime(),
  contact: s.nullable(
    s.response({
      firstName: Type.String(),
      lastName: Type.String(),
      email: s.nullable(Type.String()),
      phone: s.nullable(Type.String()),
    }),
  ),
  updatedAt: s.isoTime(),
  cancelReason: s.nullable(Type.String()),
  partOfSeries: Type.Boolean(),
});
