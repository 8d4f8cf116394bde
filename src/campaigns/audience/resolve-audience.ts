import { AGENCY } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { matching } from '../lists/list-filter.ts';
import type { ActiveList } from '../lists/list.store.ts';
import { moveRecipientsOfMerged } from './move-recipients-of-contact.ts';

/** Contacts per statement: one statement over millions would exceed the statement timeout. */
const BATCH_SIZE = 10_000;

interface BatchRow {
  readonly seen: number;
  readonly written: number;
  readonly last: string;
}

/**
 * Writes a recipient for every contact of the list that may be mailed, without loading contacts into
 * memory. Returns the number of recipients.
 */
export async function resolveAudience(
  work: Work,
  campaignId: string,
  { id: listId, filter }: ActiveList,
): Promise<number> {
  const values: unknown[] = [work.subAccountId, campaignId, AGENCY];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const insertion = insertionOf(audienceOf({ id: listId, filter }, bind));
  let recipients = 0;
  for (let isMore = true; isMore;) {
    const [batch] = await work.rows<BatchRow>(insertion, values);
    recipients += batch?.written ?? 0;
    isMore = batch?.seen === BATCH_SIZE;
    values[2] = batch?.last;
  }
  await moveRecipientsOfMerged(work, campaignId);
  return recipients;
}

/** Contacts `c` of sub-account `$1`, as parts of a statement. */
export interface SelectedContacts {
  readonly from: string;
  readonly conditions: readonly string[];
  /** The contact's id: an index has this column in order. */
  readonly id: string;
}

/** Returns the contacts of a list that may be mailed. */
export function audienceOf(list: ActiveList, bind: (value: unknown) => string): SelectedContacts {
  const { conditions, ...contacts } = contactsOf(list, bind);
  return { ...contacts, conditions: [...conditions, ...REACHABLE] };
}

/**
 * Returns the live contacts of a list. Those of a static list are looked up one by one (`offset 0`): in a
 * sub-account that its statistics do not know, PostgreSQL would compare each contact with each member.
 */
export const contactsOf = (
  { id, filter }: ActiveList,
  bind: (value: unknown) => string,
): SelectedContacts =>
  filter
    ? { from: 'contacts c', conditions: [...LIVE, ...matching(filter, bind)], id: 'c.id' }
    : {
        from: `list_members m cross join lateral (
    select * from contacts where sub_account_id = $1 and id = m.contact_id offset 0
  ) as c`,
        conditions: ['m.sub_account_id = $1', `m.list_id = ${bind(id)}`, ...LIVE],
        id: 'm.contact_id',
      };

const LIVE = ['c.sub_account_id = $1', 'c.deleted_at is null'];

/** SQL: an opt-out covers one of the addresses of contact `c`, or the given address. */
export const isOptedOut = (address: string): string => `exists (
    select from opt_outs o
    where o.sub_account_id = $1 and o.channel = 'email'
      and (o.address = any(c.addresses) or o.address = ${address})
  )`;

/**
 * SQL: the same for many contacts and their main address. The opt-outs are read once into a hash table, whatever
 * PostgreSQL expects: it would read all of them for each contact of a sub-account that its statistics do not
 * know. `unnest` keeps their number from it, since it builds no table that it expects to be large.
 */
export const IS_OPTED_OUT = `exists (
    select from unnest(c.addresses || lower(c.email)) as own (address)
    where (own.address in (
      select unnest(array(
        select o.address from opt_outs o where o.sub_account_id = $1 and o.channel = 'email'
      ))
    )) is true
  )`;

/** SQL: contact `c` has do-not-disturb set for email. */
export const HAS_DND = `(c.dnd @> '{"all":true}' or c.dnd @> '{"email":true}')`;

const REACHABLE = ['c.email is not null', `not ${HAS_DND}`, `not ${IS_OPTED_OUT}`];

/** Reads and writes a batch in the database only: a campaign may have a million recipients. */
const insertionOf = ({ from, conditions, id }: SelectedContacts): string => `with audience as (
    select c.id, c.email, lower(c.email) as address
    from ${from} where ${[...conditions, `${id} > $3`].join(' and ')}
    order by ${id} limit ${BATCH_SIZE}
  ), written as (
    insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address)
    select $1, new_id(), $2, id, email, address from audience
    on conflict on constraint campaign_recipients_once do nothing
    returning 1
  )
  select (select count(*) from audience)::int as seen,
    (select count(*) from written)::int as written,
    (select id from audience order by id desc limit 1) as last`;
