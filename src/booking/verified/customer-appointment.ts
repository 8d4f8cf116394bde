import { MINUTE_MS } from '#lib/duration.ts';
import { Fault } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { isLive, type SlotTimes } from '../appointments/appointment.schema.ts';
import {
  cancelLocked,
  moveAppointment,
  type LockedAppointment,
} from '../appointments/change-appointment.ts';
import { epochColumn } from '#core/schema/columns.ts';

/** What a calendar allows customers to do with their bookings. */
interface CustomerRules {
  readonly allowCustomerReschedule: boolean;
  /** Minutes before the start, like `rescheduleNotice`. */
  readonly cancelNotice: number;
  readonly rescheduleNotice: number;
}

/** An appointment as its customer sees it; times are epoch milliseconds. */
export interface CustomerAppointment extends LockedAppointment {
  readonly title: string | null;
  readonly typeName: string | null;
  readonly partOfSeries: boolean;
  readonly timezone: string;
  readonly locale: string;
  readonly rules: CustomerRules;
}

/** `$1` is the sub-account; append conditions on `a`. */
export const CUSTOMER_APPOINTMENTS = `
  select a.id, a.calendar_id as "calendarId", a.appointment_type_id as "appointmentTypeId",
    a.contact_id as "contactId", a.status, a.title, coalesce(t.name, a.title) as "typeName",
    ${epochColumn('a.start_time')} as "startTime", ${epochColumn('a.end_time')} as "endTime",
    a.series_id is not null as "partOfSeries",
    coalesce(c.timezone, s.timezone) as timezone, s.locale,
    json_build_object('allowCustomerReschedule', c.allow_customer_reschedule,
      'cancelNotice', c.cancel_notice, 'rescheduleNotice', c.reschedule_notice) as rules
  from appointments a
  join sub_accounts s on s.id = a.sub_account_id and s.deleted_at is null
  join calendars c on c.sub_account_id = a.sub_account_id and c.id = a.calendar_id
  left join appointment_types t
    on t.sub_account_id = a.sub_account_id and t.id = a.appointment_type_id
  where a.sub_account_id = $1`;

/** Returns the appointment with this id, for any contact. */
export async function readCustomerAppointment(
  view: View,
  id: string,
): Promise<CustomerAppointment | undefined> {
  const [appointment] = await view.rows<CustomerAppointment>(BY_ID, [view.subAccountId, id]);
  return appointment;
}

const BY_ID = `${CUSTOMER_APPOINTMENTS} and a.id = $2`;

interface LockInput {
  readonly appointmentId: string;
  /** The contact it must belong to; absent for a manage link, which names one appointment. */
  readonly contactId?: string;
}

/** Locks an appointment until the work ends. Returns undefined if there is none for the contact. */
export async function lockForCustomer(
  work: Work,
  { appointmentId, contactId }: LockInput,
): Promise<CustomerAppointment | undefined> {
  const values = [work.subAccountId, appointmentId, contactId ?? null];
  const [locked] = await work.rows<CustomerAppointment>(LOCK, values);
  return locked;
}

const LOCK = `${CUSTOMER_APPOINTMENTS}
  and a.id = $2 and ($3::uuid is null or a.contact_id = $3) for update of a`;

/** Cancels a locked appointment. Throws the customer's refusal if the calendar's rules forbid it. */
export async function cancelForCustomer(
  work: Work,
  locked: CustomerAppointment,
  reason: string | null,
): Promise<{ readonly alreadyCancelled: boolean }> {
  if (locked.status === 'cancelled') {
    return { alreadyCancelled: true };
  }
  assertAllowed('cancel', locked, work);
  await cancelLocked(work, locked, reason);
  return { alreadyCancelled: false };
}

/** Moves a locked appointment that is not cancelled. Throws the customer's refusal if the rules forbid it. */
export async function moveForCustomer(
  work: Work,
  locked: CustomerAppointment,
  times: SlotTimes,
): Promise<void> {
  assertAllowed('reschedule', locked, work);
  await moveAppointment(work, locked.id, times);
}

function assertAllowed(change: CustomerChange, locked: CustomerAppointment, { now }: Work): void {
  const reason = customerReason(change, locked, now.getTime());
  if (reason) {
    throw customerRefusal(reason);
  }
}

export type CustomerChange = 'cancel' | 'reschedule';
export type CustomerReason = 'series' | 'started' | 'reschedule_not_allowed' | 'too_late';

type RuleInput = Pick<CustomerAppointment, 'startTime' | 'partOfSeries' | 'rules'>;

/** Returns the first reason against a customer's change, or undefined if it is allowed. */
export function customerReason(
  change: CustomerChange,
  { startTime, partOfSeries, rules }: RuleInput,
  now: number,
): CustomerReason | undefined {
  if (partOfSeries) {
    return 'series';
  }
  if (startTime <= now) {
    return 'started';
  }
  if (change === 'reschedule' && !rules.allowCustomerReschedule) {
    return 'reschedule_not_allowed';
  }
  const notice = change === 'cancel' ? rules.cancelNotice : rules.rescheduleNotice;
  return startTime - now < notice * MINUTE_MS ? 'too_late' : undefined;
}

/** Returns whether the appointment is live and its customer may change it. */
export const customerMay = (
  change: CustomerChange,
  appointment: RuleInput & Pick<CustomerAppointment, 'status'>,
  now: number,
): boolean => isLive(appointment.status) && customerReason(change, appointment, now) === undefined;

const MESSAGES: Readonly<Record<CustomerReason, string>> = {
  series: 'the appointment is part of a series, which only the business can change',
  started: 'the appointment has started',
  reschedule_not_allowed: 'the calendar does not let customers move appointments',
  too_late: 'the appointment starts too soon for this change',
};

/** Returns the fault of a refused change, with the reason in `details.reason` (contract 7). */
export const customerRefusal = (reason: CustomerReason): Fault =>
  new Fault('VALIDATION_ERROR', MESSAGES[reason], { reason });
