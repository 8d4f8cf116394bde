import { randomBytes } from 'node:crypto';
import type { Work } from '#core/work.ts';
import { bound, type Bindings } from './bound.ts';

const KEY_BYTES = 32;

/**
 * Replaces the addresses of a person's opt-outs by keyed hashes: a contact with such an address gets its
 * opt-out back (migration `erased_opt_outs`). Do-not-disturb of the contact counts as opt-out of each
 * address. Returns the number of opt-outs that were stored by address.
 */
export async function hashOptOuts(work: Work, bindings: Bindings): Promise<number> {
  await work.rows(CREATE_KEY, [work.subAccountId, randomBytes(KEY_BYTES)]);
  const settings = bound(HASH_SETTINGS, bindings);
  await work.rows(settings.text, settings.values);
  const rows = bound(HASH_ROWS, bindings);
  return (await work.rows(rows.text, rows.values)).length;
}

const CREATE_KEY = `update sub_accounts set erasure_key = $2
  where id = $1 and erasure_key is null`;

const HASH_ROWS = `with gone as (
    delete from opt_outs t where t.sub_account_id = :sub and t.address = any(:addresses) returning *
  ), hashed as (
    insert into erased_opt_outs (sub_account_id, id, channel, address_hash, reason, created_at)
    select g.sub_account_id, g.id, g.channel, hash_address(s.erasure_key, g.address), g.reason,
      g.created_at
    from gone g join sub_accounts s on s.id = g.sub_account_id
    on conflict do nothing
  )
  select id from gone`;

const HASH_SETTINGS = `
  insert into erased_opt_outs (sub_account_id, id, channel, address_hash, reason, created_at)
  select distinct on (address, channel) c.sub_account_id, new_id(), channel,
    hash_address(s.erasure_key, address), 'manual', now()
  from contacts c
  join sub_accounts s on s.id = c.sub_account_id
  cross join lateral unnest(c.addresses) as address
  cross join lateral (
    select case when address like '%@%' then 'email' else 'sms' end as channel
  ) as by_kind
  where c.sub_account_id = :sub and c.id = any(:contacts) and address = any(:addresses)
    and (c.dnd -> 'all' = 'true' or c.dnd -> channel = 'true')
  on conflict do nothing`;
