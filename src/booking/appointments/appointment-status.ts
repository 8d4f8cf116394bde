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
