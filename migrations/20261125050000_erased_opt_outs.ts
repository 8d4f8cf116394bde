import { defineMigration } from '#platform/database/migrate/migration.ts';

export const erasedOptOuts = defineMigration('20261125050000_erased_opt_outs', [
  // Random, made with the first erasure; it moves with the sub-account.
  `alter table sub_accounts add column erasure_key bytea`,

  // Opt-outs of erased people: the address is known as a keyed hash only. If the address comes back
  // with a contact, the row moves back to opt_outs.
  `create table erased_opt_outs (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    channel text not null,
    address_hash bytea not null,
    reason text not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, address_hash, channel)
  )`,
  `create function hash_address(erasure_key bytea, address text) returns bytea
     language sql immutable parallel safe as $$
     select sha256(erasure_key || sha256(erasure_key || convert_to(lower(trim(address)), 'UTF8')))
   $$`,
  `create function restore_opt_outs(of_sub_account uuid, of_addresses text[]) returns void
     language sql as $$
     with back as (
       delete from erased_opt_outs e using sub_accounts s, unnest(of_addresses) as given (address)
       where e.sub_account_id = of_sub_account and s.id = of_sub_account
         and e.address_hash = hash_address(s.erasure_key, given.address)
       returning e.id, e.channel, given.address, e.reason, e.created_at
     )
     insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
     select of_sub_account, id, channel, address, reason, created_at from back
     on conflict do nothing
   $$`,
  // A sub-account that never erased a person pays for one look at an empty index.
  `create function restore_opt_outs_of_new() returns trigger language plpgsql as $$
   declare
     one record;
   begin
     for one in
       select sub_account_id, array_agg(address) as addresses
       from added cross join lateral unnest(addresses) as address
       where exists (select from erased_opt_outs e where e.sub_account_id = added.sub_account_id)
       group by sub_account_id
     loop
       perform restore_opt_outs(one.sub_account_id, one.addresses);
     end loop;
     return null;
   end $$`,
  `create function restore_opt_outs_of_changed() returns trigger language plpgsql as $$
   begin
     if exists (select from erased_opt_outs e where e.sub_account_id = new.sub_account_id) then
       perform restore_opt_outs(new.sub_account_id, new.addresses);
     end if;
     return null;
   end $$`,
  `create trigger contacts_restore_opt_outs after insert on contacts
   referencing new table as added for each statement execute function restore_opt_outs_of_new()`,
  `create trigger contacts_restore_changed_opt_outs after update on contacts for each row
   when (new.addresses <> old.addresses) execute function restore_opt_outs_of_changed()`,
]);
