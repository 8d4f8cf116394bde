import { Fault } from '#core/fault.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { CustomerAppointment } from './customer-appointment.ts';
import { isLive } from '../appointments/appointment-status.ts';

export type CustomerChange = 'cancel' | 'reschedule';
export type CustomerReason = 'series' | 'started' | 'reschedule_not_allowed' | 'too_late';

type Judged = Pick<CustomerAppointment, 'startTime' | 'partOfSeries' | 'rules'>;

/** Why a customer may not cancel or move his appointment, if so: the first reason that applies. */
export function customerReason(
  change: CustomerChange,
  { startTime, partOfSeries, rules }: Judged,
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

/** Whether it is still there to be changed by its customer. */
export const customerMay = (
  change: CustomerChange,
  appointment: Judged & Pick<CustomerAppointment, 'status'>,
  now: number,
): boolean => isLive(appointment.status) && customerReason(change, appointment, now) === undefined;

const SAYS: Readonly<Record<CustomerReason, string>> = {
  series: 'the appointment is part of a series, which only the other side can change',
  started: 'the appointment has started',
  reschedule_not_allowed: 'the calendar does not let customers move appointments',
  too_late: 'it is too late for that, the appointment starts too soon',
};

/** Contract 7: refusals of cancel and reschedule carry `details.reason`. */
export const customerRefusal = (reason: CustomerReason): Fault =>
  new Fault('VALIDATION_ERROR', SAYS[reason], { reason });
