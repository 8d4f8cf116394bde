import { invalidField } from '#core/fault.ts';
import { insertInto } from '#core/schema/columns.ts';
import { keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import type { Offer } from '../../calendars/offers.ts';
import { findOrCreateCustomer } from '../appointments/find-customer.ts';
import { freeIn, type Span } from './free-in.ts';
import { confirmWaiting, offerWaiting } from './waiting.jobs.ts';

/**
 * Far more than a day has appointments, and few enough for four jobs to offer its free times. Joins at the
 * same time can exceed it by a few.
 */
const PLACES_MAX = 200;

export interface JoinInput {
  readonly firstName: string;
  readonly lastName: string;
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
 * the address of another person. Throws VALIDATION_ERROR if the day has free slots or is over, without a
 * waiting list, and if the list is full.
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
  const until = new Date(day.until);
  // Before the place is looked up: the refusal of a full list must not show who waits.
  const places = await work.rows(PLACES, [subAccountId, offer.type.id, until, PLACES_MAX]);
  if (places.length >= PLACES_MAX) {
    throw invalidField('/date', 'has a full waiting list', { reason: 'waiting_list_full' });
  }
  const customer = await findOrCreateCustomer(work, { firstName, lastName, email, phone });
  const from = new Date(day.from);
  const known = await work.rows(KNOWN, [subAccountId, offer.type.id, customer.contactId, from]);
  if (known.length > 0) {
    return;
  }
  const id = newId(now);
  const row = [subAccountId, id, offer.type.id, customer.contactId, from, until, timezone];
  work.write(INSERT, [...row, 'waiting', now, now]);
  work.retryOn('waiting_entries_once');
  work.audit(id);
  work.enqueue(confirmWaiting, { subAccountId, placeId: id });
  // A slot may have become free between the check and the commit.
  queueOffers(work);
}

interface OffersQueued {
  readonly runAt?: Date;
  /** The place behind which the job begins. */
  readonly after?: string | undefined;
}

/** Queues the job that offers free slots. Jobs with the same key replace each other until one runs. */
export function queueOffers(work: Work, { runAt, after }: OffersQueued = {}): void {
  const payload = { subAccountId: work.subAccountId, ...(after !== undefined && { after }) };
  const key = keyOf(offerWaiting, payload, `${runAt?.getTime() ?? after ?? ''}`);
  work.enqueue(offerWaiting, payload, { key, ...(runAt && { runAt }) });
}

/** Days of other time zones count where they begin nearest: the zone is the visitor's choice. */
const PLACES = `select from waiting_entries
  where sub_account_id = $1 and appointment_type_id = $2 and state = 'waiting'
    and until_time > $3::timestamptz - interval '12 hours'
    and until_time <= $3::timestamptz + interval '12 hours'
  limit $4`;

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
