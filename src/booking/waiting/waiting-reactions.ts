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

/**
 * Moves the places of a merged contact. Of two places for the same day, one ends: that of the merged
 * contact, unless it has an offer, and the other has none or an earlier one. The slot of an offer that
 * ends goes to the next person.
 */
export async function moveWaitingOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  const values = [work.subAccountId, data.mergedContactId, contactId];
  // One after another: each statement sees what the one before it waited for.
  await work.rows(LOCK_OFFERS, values);
  await work.rows(LOCK_ENTRIES, values);
  const ended = await work.rows<{ wasOffered: boolean }>(END_DOUBLES, [...values, work.now]);
  if (ended.some(({ wasOffered }) => wasOffered)) {
    queueOffers(work);
  }
  work.write(MOVE, values);
}

/** The offers first, in the order of the job that ends expired ones. */
const LOCK_OFFERS = `select o.id from waiting_offers o
  where o.sub_account_id = $1 and o.state = 'offered' and o.entry_id in (
    select e.id from waiting_entries e where e.sub_account_id = $1 and e.contact_id in ($2, $3)
  ) order by o.id for update`;

const LOCK_ENTRIES = `select e.id from waiting_entries e
  where e.sub_account_id = $1 and e.contact_id in ($2, $3) and e.state in ('waiting', 'offered')
  order by e.id for update`;

const END_DOUBLES = `with doubles as (
    select m.id as merged, k.id as kept, mo.expires_at as merged_expires,
      ko.expires_at as kept_expires
    from waiting_entries m
    join waiting_entries k on k.sub_account_id = $1 and k.contact_id = $3
      and k.appointment_type_id = m.appointment_type_id and k.from_time = m.from_time
      and k.state in ('waiting', 'offered')
    left join waiting_offers mo
      on mo.sub_account_id = $1 and mo.entry_id = m.id and mo.state = 'offered'
    left join waiting_offers ko
      on ko.sub_account_id = $1 and ko.entry_id = k.id and ko.state = 'offered'
    where m.sub_account_id = $1 and m.contact_id = $2 and m.state in ('waiting', 'offered')
  ), ending as (
    select case when merged_expires > coalesce(kept_expires, '-infinity') then kept else merged end
      as id from doubles
  ), offers as (
    update waiting_offers o set state = 'declined' from ending
    where o.sub_account_id = $1 and o.entry_id = ending.id and o.state = 'offered'
    returning o.entry_id
  ), ended as (
    update waiting_entries e set state = 'left', updated_at = $4 from ending
    where e.sub_account_id = $1 and e.id = ending.id returning e.id
  )
  select ended.id, offers.entry_id is not null as "wasOffered"
  from ended left join offers on offers.entry_id = ended.id`;

/** No two of them are for the same day now. */
const MOVE = `update waiting_entries set contact_id = $3
  where sub_account_id = $1 and contact_id = $2`;
