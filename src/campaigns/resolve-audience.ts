import type { Work } from '#kit/work.ts';
import { fitting } from './list-filter.ts';
import type { ActiveList } from './require-list.ts';

/**
 * Writes a line of the ledger for each address of the list that may be mailed, in one statement and
 * none of it in memory, and answers how many there are.
 */
export async function resolveAudience(
  work: Work,
  campaignId: string,
  { id: listId, filter }: ActiveList,
): Promise<number> {
  const values: unknown[] = [work.subAccountId, campaignId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const belongs = filter ? fitting(filter, bind) : [isMember(bind(listId))];
  const conditions = [...REACHABLE, ...belongs].join(' and ');
  const [written] = await work.rows<{ recipients: number }>(insertion(conditions), values);
  return written?.recipients ?? 0;
}

const isMember = (listId: string): string => `exists (
    select from list_members m
    where m.sub_account_id = $1 and m.list_id = ${listId} and m.contact_id = c.id
  )`;

/** SQL: the consent ledger closes mail to one of the addresses of contact `c`, or to this one. */
export const isClosed = (address: string): string => `exists (
    select from opt_outs o
    where o.sub_account_id = $1 and o.channel = 'email'
      and (o.address = any(c.addresses) or o.address = ${address})
  )`;

/** SQL: contact `c` wants no mail. */
export const IS_DISTURBED = `(c.dnd @> '{"all":true}' or c.dnd @> '{"email":true}')`;

const REACHABLE = [
  'c.sub_account_id = $1',
  'c.deleted_at is null',
  'c.email is not null',
  `not ${IS_DISTURBED}`,
  `not ${isClosed('lower(c.email)')}`,
];

const insertion = (conditions: string): string => `with audience as (
    select distinct on (lower(c.email)) c.id, c.email, lower(c.email) as address
    from contacts c where ${conditions}
    order by lower(c.email), c.id
  ), written as (
    insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address)
    select $1, new_id(), $2, id, email, address from audience
    returning 1
  )
  select count(*)::int as recipients from written`;
