import type { Work } from '#core/work.ts';
import { HOUR_MS } from '#lib/duration.ts';
import { rateLimited } from '#platform/http/admission.ts';

/**
 * How many appointments visitors book for one contact in an hour, and how many confirmations of one
 * appointment their moves send. Anyone may have typed the address that each of them goes to.
 */
const PER_HOUR = 20;

/** Throws RATE_LIMITED if the contact has many appointments that were booked just now. */
export async function limitBookings(work: Work, contactId: string): Promise<void> {
  const values = [work.subAccountId, contactId, hourBefore(work)];
  refuseMany(await work.rows(BOOKED, values));
}

const BOOKED = `select from appointments
  where sub_account_id = $1 and contact_id = $2 and created_at > $3 limit ${PER_HOUR}`;

/** Throws RATE_LIMITED if the appointment was confirmed many times just now. */
export async function limitMoves(work: Work, appointmentId: string): Promise<void> {
  const values = [work.subAccountId, appointmentId, hourBefore(work)];
  refuseMany(await work.rows(CONFIRMED, values));
}

const CONFIRMED = `select from appointment_notices
  where sub_account_id = $1 and appointment_id = $2 and notice like 'confirmation %'
    and written_at > $3
  limit ${PER_HOUR}`;

const hourBefore = ({ now }: Work): Date => new Date(now.getTime() - HOUR_MS);

function refuseMany(found: readonly unknown[]): void {
  if (found.length >= PER_HOUR) {
    throw rateLimited(HOUR_MS);
  }
}
