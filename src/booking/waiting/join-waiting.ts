import { invalidField } from '#core/fault.ts';
import { insertInto } from '#core/schema/columns.ts';
import { keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import type { Offer } from '../../calendars/offers.ts';
import { findOrCreateCustomer, type CustomerInput } from '../appointments/find-customer.ts';
import { freeIn, type Span } from './free-in.ts';
import { confirmWaiting, offerWaiting } from './waiting.jobs.ts';

export interface JoinInput extends Required<Pick<CustomerInput, 'firstName' | 'lastName'>> {
  readonly email: string;
  readonly phone: string | null;
  /** The visitor's day. */
  readonly day: Span;
  /** The visitor's time zone. */
  readonly timezone: string;
}

/**
 * Puts a visitor on the waiting list of a full day; a second time changes nothing. The link of the place
 * goes to its person by mail only, and the caller cannot tell whether there was a place: strangers may type
 * the address of another person. Throws VALIDATION_ERROR if the day has free slots or is over, or without a waiting list.
 */
export async function joinWaiting(work: Work, offer: Offer, input: JoinInput): Promise<void> {
  const { day, timezone, firstName, lastName, email, phone } = input;
  const { subAccountId, now } = work;
  if (offer.calendar.waitingListMinutes === null || day.until <= now.getTime()) {
    throw invalidField('/date', 'has no waiting list', { reason: 'no_waiting_list' });
  }
  if ((await freeIn(work, offer, day)).length > 0) {
    throw invalidField('/date', 'has free times', { reason: 'day_not_full' });
  }
  const customer = await findOrCreateCustomer(work, { firstName, lastName, email, phone });
  const from = new Date(day.from);
  const known = await work.rows(KNOWN, [subAccountId, offer.type.id, customer.contactId, from]);
  if (known.length > 0) {
    return;
  }
  const id = newId(now);
  const until = new Date(day.until);
  const row = [subAccountId, id, offer.type.id, customer.contactId, from, until, timezone];
  work.write(INSERT, [...row, 'waiting', now, now]);
  work.retryOn('waiting_entries_once');
  work.audit(id);
  work.enqueue(confirmWaiting, { subAccountId, placeId: id });
  // A slot may have become free between the check and the commit.
  queueOffers(work);
}

/** Queues the job that offers free slots. Jobs with the same key replace each other until one runs. */
export function queueOffers(work: Work, runAt?: Date): void {
  const payload = { subAccountId: work.subAccountId };
  const key = keyOf(offerWaiting, payload, `${runAt?.getTime() ?? ''}`);
  work.enqueue(offerWaiting, payload, { key, ...(runAt && { runAt }) });
}

const KNOWN = `select id from waiting_entries
  where sub_account_id = $1 and appointment_type_id = $2 and contact_id = $3 and from_time = $4
    and state in ('waiting', 'offered')`;

const INSERT = insertInto('waiting_entries', [
  'subAccountId',
  'id',
  'appointmentTypeId',
  'contactId',
  'fromTime',
  'untilTime',
  'timezone',
  'state',
  'createdAt',
  'updatedAt',
]);
