import { Fault, notFound } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import { queueOffers } from './join-waiting.ts';
import type { WaitingState } from './waiting-entry.entity.ts';
import { epochColumn } from '#core/schema/columns.ts';

/** A place in the waiting list, with its open offer; times are epoch milliseconds. */
export interface WaitingPlace {
  readonly id: string;
  readonly typeId: string;
  readonly contactId: string;
  readonly state: WaitingState;
  readonly from: number;
  readonly until: number;
  readonly timezone: string;
  readonly offerId: string | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly expiresAt: number | null;
}

export async function readPlace(view: View, id: string): Promise<WaitingPlace | undefined> {
  const [place] = await view.rows<WaitingPlace>(PLACE, [view.subAccountId, id]);
  return place;
}

/** Returns whether the person can book the slot that is held for them. */
export const isOffered = ({ offerId, expiresAt }: WaitingPlace, now: number): boolean =>
  offerId !== null && expiresAt !== null && expiresAt > now;

/**
 * Books the slot that is held for a person, and returns the id of the appointment, also if it was booked
 * before: a page is sent twice by a double click. Throws VALIDATION_ERROR if the offer has ended.
 */
export async function acceptOffer(work: Work, id: string): Promise<string> {
  const place = await lockPlace(work, id);
  const { subAccountId, now } = work;
  const [earlier] = await work.rows<{ id: string }>(BOOKED, [subAccountId, id]);
  if (earlier) {
    return earlier.id;
  }
  const { offerId, start, end } = place ?? {};
  if (!place || !isOffered(place, now.getTime()) || !offerId || !start || !end) {
    throw new Fault('VALIDATION_ERROR', 'this offer has ended', { reason: 'offer_ended' });
  }
  // From here on the slot is not held, so that this booking can take it.
  await work.rows(END_OFFER, [subAccountId, offerId, 'booked']);
  await work.rows(SET_STATE, [subAccountId, id, 'booked', now]);
  work.audit(id);
  const { typeId: appointmentTypeId, contactId } = place;
  const times = { startTime: start, endTime: end };
  const booked = await bookAppointment(work, { appointmentTypeId, contactId, ...times }, offerId);
  return booked.id;
}

/** The appointment of the place, unless it was cancelled or moved. */
const BOOKED = `select a.id from waiting_entries e
  join waiting_offers o on o.sub_account_id = $1 and o.entry_id = e.id and o.state = 'booked'
  join appointments a on a.sub_account_id = $1 and a.contact_id = e.contact_id
    and a.appointment_type_id = e.appointment_type_id and a.start_time = o.start_time
    and a.status <> 'cancelled'
  where e.sub_account_id = $1 and e.id = $2 and e.state = 'booked'
  order by a.id desc limit 1`;

/** Gives up the slot that is held, for the next person; the place stays for other slots of the day. */
export async function declineOffer(work: Work, id: string): Promise<void> {
  await endPlace(work, id, 'waiting');
}

/** Gives up the place. */
export async function leaveWaiting(work: Work, id: string): Promise<void> {
  await endPlace(work, id, 'left');
}

/** The same for the team. Throws `NOT_FOUND` if the customer booked or left in the meantime. */
export async function removeFromWaiting(work: Work, id: string): Promise<void> {
  if (!(await endPlace(work, id, 'left'))) {
    throw notFound('place');
  }
}

/** Returns whether the person still waited. */
async function endPlace(work: Work, id: string, state: 'waiting' | 'left'): Promise<boolean> {
  const place = await lockPlace(work, id);
  if (!place || (place.state !== 'waiting' && place.state !== 'offered')) {
    return false;
  }
  if (place.offerId !== null) {
    await work.rows(END_OFFER, [work.subAccountId, place.offerId, 'declined']);
    queueOffers(work);
  }
  await work.rows(SET_STATE, [work.subAccountId, id, state, work.now]);
  work.audit(id);
  return true;
}

async function lockPlace(work: Work, id: string): Promise<WaitingPlace | undefined> {
  await work.rows(LOCK_CONTACT, [work.subAccountId, id]);
  await work.rows(LOCK, [work.subAccountId, id]);
  return readPlace(work, id);
}

/** Before the place, as merges do: bookings lock the contact, too. */
const LOCK_CONTACT = `select c.id from waiting_entries e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.id = $2 for key share of c`;

/** The offer first, in the order of the job that ends expired ones. */
const LOCK = `with offer as materialized (
    select id from waiting_offers
    where sub_account_id = $1 and entry_id = $2 and state = 'offered' for update
  )
  select e.id from waiting_entries e left join offer on true
  where e.sub_account_id = $1 and e.id = $2 for update of e`;

const PLACE = `select e.id, e.appointment_type_id as "typeId", e.contact_id as "contactId", e.state,
    ${epochColumn('e.from_time')} as "from", ${epochColumn('e.until_time')} as "until", e.timezone,
    o.id as "offerId", ${epochColumn('o.start_time')} as "start", ${epochColumn('o.end_time')} as "end",
    ${epochColumn('o.expires_at')} as "expiresAt"
  from waiting_entries e
  left join waiting_offers o
    on o.sub_account_id = e.sub_account_id and o.entry_id = e.id and o.state = 'offered'
  where e.sub_account_id = $1 and e.id = $2`;

const END_OFFER = `update waiting_offers set state = $3
  where sub_account_id = $1 and id = $2 and state = 'offered' returning id`;

const SET_STATE = `update waiting_entries set state = $3, updated_at = $4
  where sub_account_id = $1 and id = $2 returning id`;
