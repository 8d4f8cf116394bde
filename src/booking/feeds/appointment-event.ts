import type { ICalEventData } from 'ical-generator';

/** An appointment as whoever gives it needs it: when, what, and with whom. */
export interface AppointmentEvent {
  readonly id: string;
  readonly title: string;
  readonly start: Date;
  readonly end: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** It has the same UID wherever it goes. */
export const appointmentEvent = (appointment: AppointmentEvent): ICalEventData => {
  const { id, title: summary, start, end, createdAt, updatedAt: stamp } = appointment;
  const sequence = Math.floor((stamp.getTime() - createdAt.getTime()) / 1_000);
  return { id: `${id}@frontdesk`, sequence, stamp, start, end, summary };
};

/** Columns of `a`, an appointment, and `c`, its contact where there is one. */
export const APPOINTMENT_EVENT = `a.id, concat_ws(': ', a.title,
      nullif(trim(concat_ws(' ', c.first_name, c.last_name)), '')) as title,
    a.start_time as start, a.end_time as "end", a.created_at as "createdAt",
    a.updated_at as "updatedAt"`;
