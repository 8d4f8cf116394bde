import { notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { AppointmentStatus } from './appointment-status.ts';

/** What a change of an appointment needs to know of it. */
export interface HeldAppointment {
  readonly id: string;
  readonly calendarId: string;
  readonly appointmentTypeId: string | null;
  readonly contactId: string | null;
  readonly status: AppointmentStatus;
  /** Epoch milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
}

/** Held against other changes until the work is done; NOT_FOUND where there is none. */
export async function lockAppointment(work: Work, id: string): Promise<HeldAppointment> {
  const [held] = await work.rows<HeldAppointment>(LOCK, [work.subAccountId, id]);
  if (!held) {
    throw notFound('appointment');
  }
  return held;
}

const LOCK = `select id, calendar_id as "calendarId", appointment_type_id as "appointmentTypeId",
    contact_id as "contactId", status,
    (extract(epoch from start_time) * 1000)::int8 as "startTime",
    (extract(epoch from end_time) * 1000)::int8 as "endTime"
  from appointments where sub_account_id = $1 and id = $2 for update`;
