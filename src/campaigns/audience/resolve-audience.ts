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
  const insertion = insertionOf([...audienceOf({ id: listId, filter }, bind), 'c.id > $3']);
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

/** SQL conditions: contact `c` of sub-account `$1` belongs to the list and may be mailed. */
export const audienceOf = (
  { id, filter }: ActiveList,
  bind: (value: unknown) => string,
): readonly string[] => [...REACHABLE, ...(filter ? matching(filter, bind) : [isMember(bind(id))])];

export const isMember = (listId: string): string => `exists (
    select from list_members m
    where m.sub_account_id = $1 and m.list_id = ${listId} and m.contact_id = c.id
  )`;

/** SQL: an opt-out covers one of the addresses of contact `c`, or the given address. */
export const isOptedOut = (address: string): string => `exists (
    select from opt_outs o
    where o.sub_account_id = $1 and o.channel = 'email'
      and (o.address = any(c.addresses) or o.address = ${address})
  )`;

/** SQL: contact `c` has do-not-disturb set for email. */
export const HAS_DND = `(c.dnd @> '{"all":true}' or c.dnd @> '{"email":true}')`;

const REACHABLE = [
  'c.sub_account_id = $1',
  'c.deleted_at is null',
  'c.email is not null',
  `not ${HAS_DND}`,
  `not ${isOptedOut('lower(c.email)')}`,
];

/** Reads and writes a batch in the database only: a campaign may have a million recipients. */
const insertionOf = (conditions: readonly string[]): string => `with audience as (
    select c.id, c.email, lower(c.email) as address
    from contacts c where ${conditions.join(' and ')}
    order by c.id limit ${BATCH_SIZE}
  ), written as (
    insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address)
    select $1, new_id(), $2, id, email, address from audience
    on conflict on constraint campaign_recipients_once do nothing
    returning 1
  )
  select (select count(*) from audience)::int as seen,
    (select count(*) from written)::int as written,
    (select id from audience order by id desc limit 1) as last`;
