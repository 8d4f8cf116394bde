import type { View } from '#core/work.ts';
import { CUSTOMER_APPOINTMENTS, type CustomerAppointment } from './customer-appointment.ts';
import { unknownCustomer, verifiedCustomer } from './verified-customer.ts';
import type { Identification } from './verified-customer.schema.ts';
import { rowTeller } from './verified-row.ts';

/** Spec "Limits". */
const HISTORY_MAX = 20;

/** Everything that a customer ever booked, the newest booking first, cut after twenty. */
export async function findHistory(view: View, given: Identification) {
  const customer = await verifiedCustomer(view, given);
  const values = [view.subAccountId, customer, HISTORY_MAX + 1];
  const found = await view.rows<CustomerAppointment>(HISTORY, values);
  if (found.length === 0) {
    throw unknownCustomer();
  }
  const tell = await rowTeller(view.now);
  const data = found.slice(0, HISTORY_MAX).map(tell);
  return { data, meta: { hasMore: found.length > HISTORY_MAX } };
}

const HISTORY = `${CUSTOMER_APPOINTMENTS} and a.contact_id = $2 order by a.id desc limit $3`;

/** The one appointment that a customer can mean by "my appointment"; none where he could mean several. */
export async function findActionable(view: View, given: Identification) {
  const customer = await verifiedCustomer(view, given);
  const values = [view.subAccountId, customer, view.now];
  const found = await view.rows<CustomerAppointment & { isActionable: boolean }>(FIRST, values);
  if (found.length === 0) {
    throw unknownCustomer();
  }
  const [only, another] = found.filter(({ isActionable }) => isActionable);
  if (!only || another) {
    return { data: { appointment: null }, meta: { ambiguous: true } };
  }
  const tell = await rowTeller(view.now);
  return { data: { appointment: tell(only) }, meta: { ambiguous: false } };
}

/** Two are enough to know; those that are not actionable say that there is a history. */
const FIRST = `select one.*, two."isActionable" from (${CUSTOMER_APPOINTMENTS} and a.contact_id = $2) one
  cross join lateral (
    select one.status in ('scheduled', 'confirmed') and not one."partOfSeries"
      and one."startTime" > extract(epoch from $3::timestamptz) * 1000 as "isActionable"
  ) two
  order by two."isActionable" desc limit 2`;
