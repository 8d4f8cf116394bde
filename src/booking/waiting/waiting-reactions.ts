import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { oncePer } from '#lib/once-per.ts';
import { queueOffers } from './join-waiting.ts';

/**
 * Queues the offers of slots that became free, where a person waits. One job offers all slots that a
 * change frees: with a contact, thousands of appointments may be cancelled.
 */
export const offerFreed = oncePer(async (work: Work): Promise<void> => {
  const [waiting] = await work.rows(SOME, [work.subAccountId, work.now]);
  if (waiting) {
    queueOffers(work);
  }
});

const SOME = `select from waiting_entries
  where sub_account_id = $1 and state = 'waiting' and until_time > $2 limit 1`;

/** Removes a deleted contact from the waiting list; what was held for them is offered to the next. */
export async function leaveWithContact(
  work: Work,
  { contactId }: Occurrence<object>,
): Promise<void> {
  const left = await work.rows(LEAVE, [work.subAccountId, contactId, work.now]);
  if (left.length > 0) {
    queueOffers(work);
  }
}

const LEAVE = `with entries as (
    update waiting_entries set state = 'left', updated_at = $3
    where sub_account_id = $1 and contact_id = $2 and state in ('waiting', 'offered') returning id
  ), offers as (
    update waiting_offers o set state = 'declined' from entries
    where o.sub_account_id = $1 and o.entry_id = entries.id and o.state = 'offered'
  )
  select id from entries`;

/** Moves the places of a merged contact; a place that the kept contact has, too, is given up. */
export async function moveWaitingOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  const values = [work.subAccountId, data.mergedContactId, contactId];
  await work.rows(DROP_DOUBLE, values);
  work.write(MOVE, values);
}

const DROP_DOUBLE = `update waiting_entries e set state = 'left'
  where e.sub_account_id = $1 and e.contact_id = $2 and e.state = 'waiting' and exists (
    select from waiting_entries k where k.sub_account_id = $1 and k.contact_id = $3
      and k.appointment_type_id = e.appointment_type_id and k.from_time = e.from_time
      and k.state in ('waiting', 'offered')
  ) returning e.id`;

const MOVE = `update waiting_entries e set contact_id = $3
  where e.sub_account_id = $1 and e.contact_id = $2 and not exists (
    select from waiting_entries k where k.sub_account_id = $1 and k.contact_id = $3
      and k.appointment_type_id = e.appointment_type_id and k.from_time = e.from_time
      and k.state in ('waiting', 'offered') and e.state in ('waiting', 'offered')
  )`;
