export const APPOINTMENT_STATUSES = [
  'scheduled',
  'confirmed',
  'completed',
  'cancelled',
  'no_show',
] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

/** It is still to take place, or was never marked as anything else. */
export const isLive = (status: AppointmentStatus): status is 'scheduled' | 'confirmed' =>
  status === 'scheduled' || status === 'confirmed';

const MAY_BECOME: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  scheduled: ['confirmed', 'completed', 'no_show', 'cancelled'],
  confirmed: ['completed', 'no_show', 'cancelled'],
  completed: ['no_show'],
  no_show: ['completed'],
  cancelled: [],
};

/** What is said of how it went, which nobody knows before its start. */
const OUTCOMES: ReadonlySet<AppointmentStatus> = new Set(['completed', 'no_show']);

/** Whether one status may follow another (contract 7); the same again is no change and not asked. */
export const canBecome = (
  from: AppointmentStatus,
  to: AppointmentStatus,
  hasStarted: boolean,
): boolean => MAY_BECOME[from].includes(to) && (hasStarted || !OUTCOMES.has(to));
