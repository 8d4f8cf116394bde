import type { Reply } from '#core/endpoint/reply.ts';
import type { View, Work } from '#core/work.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import { seriesNotice } from './series-notice.ts';
import { queueNotice } from '../../accounts/team/team.jobs.ts';
import {
  cancelForCustomer,
  CUSTOMER_APPOINTMENTS,
  customerMay,
  customerRefusal,
  lockForCustomer,
  moveForCustomer,
  readCustomerAppointment,
  type CustomerAppointment,
  type CustomerChange,
} from './customer-appointment.ts';
import { identifyCustomer, unknownCustomer } from './identify-customer.ts';
import type {
  Identification,
  VerifiedCancel,
  VerifiedMove,
  VerifiedRow,
} from './verified-customer.schema.ts';

/** Spec "Limits". */
const HISTORY_MAX = 20;

/** Returns a customer's latest bookings, newest first. Throws NOT_FOUND if there are none. */
export async function findHistory(view: View, identification: Identification) {
  const customer = await identifyCustomer(view, identification);
  const values = [view.subAccountId, customer, HISTORY_MAX + 1];
  const appointments = await view.rows<CustomerAppointment>(HISTORY, values);
  if (appointments.length === 0) {
    throw unknownCustomer();
  }
  const toRow = rowFormatter(view.now);
  const data = appointments.slice(0, HISTORY_MAX).map(toRow);
  return { data, meta: { hasMore: appointments.length > HISTORY_MAX } };
}

const HISTORY = `${CUSTOMER_APPOINTMENTS} and a.contact_id = $2 order by a.id desc limit $3`;

/** Returns the customer's only upcoming appointment; null if there are none or several. */
export async function findActionable(view: View, identification: Identification) {
  const customer = await identifyCustomer(view, identification);
  const values = [view.subAccountId, customer, view.now];
  const appointments = await view.rows<CustomerAppointment & { isActionable: boolean }>(
    ACTIONABLE_FIRST,
    values,
  );
  if (appointments.length === 0) {
    throw unknownCustomer();
  }
  const [only, another] = appointments.filter(({ isActionable }) => isActionable);
  if (!only || another) {
    return { data: { appointment: null }, meta: { ambiguous: true } };
  }
  const toRow = rowFormatter(view.now);
  return { data: { appointment: toRow(only) }, meta: { ambiguous: false } };
}

/** `limit 2`: enough to tell one from several. Other rows still prove that the customer has a history. */
const ACTIONABLE_FIRST = `select one.*, two."isActionable" from (${CUSTOMER_APPOINTMENTS} and a.contact_id = $2) one
  cross join lateral (
    select one.status in ('scheduled', 'confirmed') and not one."partOfSeries"
      and one."startTime" > extract(epoch from $3::timestamptz) * 1000 as "isActionable"
  ) two
  order by two."isActionable" desc limit 2`;

/** Cancels a customer's appointment. For one of a series it notifies the admins and returns a refusal. */
export async function cancelVerified(work: Work, input: VerifiedCancel): Promise<Reply> {
  const { appointmentId, confirm: _, reason = null, ...identification } = input;
  const locked = await lockVerified(work, appointmentId, identification);
  if (!locked) {
    throw unknownCustomer();
  }
  if (locked.partOfSeries && locked.status !== 'cancelled') {
    return refuseSeries(work, locked, 'cancel');
  }
  const { alreadyCancelled } = await cancelForCustomer(work, locked, reason);
  return { data: { id: appointmentId, cancelled: true, alreadyCancelled } };
}

/** Moves a customer's appointment. A cancelled one cannot be moved and counts as unknown (contract 7). */
export async function moveVerified(
  work: Work,
  { appointmentId, newStartTime, newEndTime, ...identification }: VerifiedMove,
): Promise<Reply> {
  const locked = await lockVerified(work, appointmentId, identification);
  if (!locked || locked.status === 'cancelled') {
    throw unknownCustomer();
  }
  if (locked.partOfSeries) {
    return refuseSeries(work, locked, 'reschedule');
  }
  await moveForCustomer(work, locked, { startTime: newStartTime, endTime: newEndTime });
  return {
    async data(view: Work) {
      const moved = await readCustomerAppointment(view, appointmentId);
      return moved && { id: appointmentId, ...rowFormatter(view.now)(moved) };
    },
  };
}

/** Tries twice: a merge may change the appointment's contact while the first try waits for the lock. */
async function lockVerified(work: Work, appointmentId: string, identification: Identification) {
  const tryLock = async () => {
    const contactId = await identifyCustomer(work, identification);
    return lockForCustomer(work, { appointmentId, contactId });
  };
  return (await tryLock()) ?? tryLock();
}

/** Only a person can change a series: the admins are mailed, once per change while the mail is queued. */
async function refuseSeries(
  work: Work,
  locked: CustomerAppointment,
  change: CustomerChange,
): Promise<Reply> {
  const { subAccountId } = work;
  const { label, appointmentTypeName } = rowFormatter(work.now)(locked);
  const [contact] = await work.rows<{ name: string }>(NAME, [subAccountId, locked.contactId]);
  const notice = seriesNotice({
    id: locked.id,
    change,
    locale: locked.locale,
    contactName: contact?.name,
    typeName: appointmentTypeName,
    start: `${label} (${locked.timezone})`,
  });
  const contactId = locked.contactId === null ? {} : { contactId: locked.contactId };
  queueNotice(work, { ...notice, ...contactId }, `booking/series/${change}/${locked.id}`);
  return { data: null, refusal: customerRefusal('series') };
}

const NAME = `select trim(concat_ws(' ', first_name, last_name)) as name
  from contacts where sub_account_id = $1 and id = $2`;

/** Returns a function that formats rows. */
function rowFormatter(now: Date) {
  return (appointment: CustomerAppointment): VerifiedRow => {
    const { id, startTime, endTime, timezone, locale, status, typeName } = appointment;
    return {
      appointmentId: id,
      label: slotLabel(startTime, timezone, locale),
      start: new Date(startTime).toISOString(),
      end: new Date(endTime).toISOString(),
      startTime,
      endTime,
      timezone,
      status,
      appointmentTypeName: typeName,
      partOfSeries: appointment.partOfSeries,
      canCancel: customerMay('cancel', appointment, now.getTime()),
      canReschedule: customerMay('reschedule', appointment, now.getTime()),
    };
  };
}
