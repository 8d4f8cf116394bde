import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, invalid } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { slotLabel } from '../../calendars/slots/slot-label.ts';
import { AGENCY } from '#lib/id.ts';
import { queueNotice } from '../../accounts/team/team.jobs.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
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
      return moved && rowFormatter(view.now)(moved);
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

/** How the mail to the admins names a change. */
const CHANGE_VERBS: Readonly<Record<CustomerChange, string>> = {
  cancel: 'cancel',
  reschedule: 'move',
};

/** Only a person can change a series: the admins are mailed, once per change while the mail is queued. */
async function refuseSeries(
  work: Work,
  locked: CustomerAppointment,
  change: CustomerChange,
): Promise<Reply> {
  const { subAccountId } = work;
  const { label, appointmentTypeName } = rowFormatter(work.now)(locked);
  const [contact] = await work.rows<{ name: string }>(NAME, [subAccountId, locked.contactId]);
  const verb = CHANGE_VERBS[change];
  const subject = `A customer wants to ${verb} an appointment of a series`;
  const text = [
    `${contact?.name ?? 'A customer'} asked to ${verb} this appointment. It is part of a series, so nothing was changed: please get in touch.`,
    '',
    `${appointmentTypeName ?? 'Appointment'}: ${label} (${locked.timezone})`,
    `Appointment id: ${locked.id}`,
  ].join('\n');
  const key = `booking/series/${change}/${locked.id}`;
  const about = locked.contactId === null ? {} : { contactId: locked.contactId };
  queueNotice(work, { subject, text, ...about }, key);
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

/** Stands in for an unknown customer, so that the same queries run for them. */
const UNKNOWN = AGENCY;

/** Returns the same fault for every failed identification: callers must not learn the cause. */
const unknownCustomer = (): Fault =>
  new Fault('NOT_FOUND', 'no appointment was found for these details');

/**
 * Returns the id of the only live contact that matches everything given, else UNKNOWN. It is always
 * one statement, so that the time it takes reveals no more than the result.
 */
async function identifyCustomer(view: View, identification: Identification): Promise<string> {
  assertIdentification(identification);
  const { contactId = null, email = null, phone = null, lastName = null } = identification;
  const contacts = await view.rows<{ id: string }>(FIND, [
    view.subAccountId,
    contactId,
    email === null ? null : normalised(email),
    email,
    phone,
    lastName === null ? null : folded(lastName),
  ]);
  // Two people of one name may share a phone: they are indistinguishable.
  const [only, another] = contacts;
  return only && !another ? only.id : UNKNOWN;
}

/** Throws VALIDATION_ERROR for too few details, or for `contactId` together with others. */
function assertIdentification({ contactId, ...others }: Identification): void {
  const details = [others.email, others.phone, others.lastName].filter((one) => one !== undefined);
  if (contactId !== undefined && details.length > 0) {
    throw invalid([
      {
        in: 'body',
        path: '/contactId',
        message: 'must not be combined with email, phone or lastName',
      },
    ]);
  }
  if (contactId === undefined && details.length < 2) {
    const message = 'must have contactId, or two of email, phone and lastName';
    throw invalid([{ in: 'body', path: '', message }]);
  }
}

/** Names are spoken and typed: `van  der Berg` equals `Van der Berg`. FIND folds the column alike. */
const folded = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

const FIND = `with candidates as (
    select id from contacts where sub_account_id = $1 and id = $2::uuid
    union
    select contact_id from contact_emails where sub_account_id = $1 and email = $3::text
    union
    select id from contacts
    where sub_account_id = $1 and phone = $5::text and deleted_at is null
    union
    select id from contacts
    where sub_account_id = $1 and additional_phones @> array[$5]::text[]
      and additional_phones <> '{}' and deleted_at is null
  )
  select c.id from candidates join contacts c on c.sub_account_id = $1 and c.id = candidates.id
  where c.deleted_at is null
    and ($4::text is null or c.email = $4 or $4 = any (c.additional_emails))
    and ($5::text is null or c.phone = $5 or $5 = any (c.additional_phones))
    and ($6::text is null or lower($6) = lower(trim(regexp_replace(
      normalize(c.last_name, NFC), '\\s+', ' ', 'g'))))
  limit 2`;
