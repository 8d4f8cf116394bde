import { defineMigration } from '#platform/database/migrate/migration.ts';

export const contacts = defineMigration('20261121040000_contacts', [
  `create table custom_field_definitions (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    name text not null,
    label text not null,
    type text not null,
    options text[],
    is_required boolean not null default false,
    position integer not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, name)
  )`,
  `create trigger custom_field_definitions_announce
   after insert or update or delete on custom_field_definitions
   for each statement execute function announce_change()`,

  // Text for searches: no case, no accents. Immutable because it names the dictionary.
  `create function fold_text(given text) returns text
   language sql immutable strict parallel safe
   return lower(public.unaccent('public.unaccent'::regdictionary, given))`,
  `create function fold_tags(given text[]) returns text[]
   language sql immutable strict parallel safe
   return coalesce((select array_agg(lower(tag)) from unnest(given) as tag), '{}')`,

  `create function containing(given text) returns text
   language sql immutable strict parallel safe
   return '%' || regexp_replace(fold_text(given), '([\\\\%_])', '\\\\\\1', 'g') || '%'`,

  `create table contacts (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    first_name text not null,
    last_name text not null,
    email text,
    phone text,
    company text,
    title text,
    source text,
    tags text[] not null default '{}',
    lifecycle_stage text not null,
    engagement_score integer check (engagement_score between 0 and 100),
    assigned_to uuid,
    additional_emails text[] not null default '{}',
    additional_phones text[] not null default '{}',
    address_line1 text,
    city text,
    state text,
    postal_code text,
    country text,
    date_of_birth text,
    timezone text,
    custom_fields jsonb not null default '{}',
    dnd jsonb not null default '{}',
    addresses text[] not null default '{}',
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    search_text text not null generated always as (fold_text(
      first_name || ' ' || last_name || e'\\n' || coalesce(email, '') || e'\\n' || coalesce(company, '')
    )) stored,
    tag_keys text[] not null generated always as (fold_tags(tags)) stored,
    primary key (sub_account_id, id),
    constraint contacts_assigned_to_fkey foreign key (sub_account_id, assigned_to)
      references team_members (sub_account_id, id) on delete set null (assigned_to)
  )`,
  `create index contacts_live on contacts (sub_account_id, id) where deleted_at is null`,
  `create index contacts_by_assignee on contacts (sub_account_id, assigned_to, id)
   where deleted_at is null and assigned_to is not null`,
  `create index contacts_by_search on contacts using gin (sub_account_id, search_text gin_trgm_ops)
   where deleted_at is null`,
  `create index contacts_by_tag on contacts using gin (sub_account_id, tag_keys)
   where deleted_at is null and tag_keys <> '{}'`,

  // Every address of every live contact, so that two contacts never share one.
  `create table contact_emails (
    sub_account_id uuid not null,
    email text not null,
    contact_id uuid not null,
    constraint contact_emails_pkey primary key (sub_account_id, email),
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id)
  )`,

  // Opt-outs, keyed by address, so that they outlive the contact.
  `create table opt_outs (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    channel text not null,
    address text not null,
    reason text not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, address, channel)
  )`,

  // Totals of lists as a sum of differences, which a writer folds now and then.
  `create table tallies (
    sub_account_id uuid not null,
    noun text not null,
    id uuid not null default gen_random_uuid(),
    difference bigint not null,
    primary key (sub_account_id, noun, id)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  `create function fold_tally(of_sub_account uuid, of_noun text) returns void language sql as $$
     with taken as (
       select id from tallies where sub_account_id = of_sub_account and noun = of_noun
       order by id for update skip locked limit 1000
     ), gone as (
       delete from tallies t using taken
       where t.sub_account_id = of_sub_account and t.noun = of_noun and t.id = taken.id
       returning t.difference
     )
     insert into tallies (sub_account_id, noun, difference)
     select of_sub_account, of_noun, sum(difference) from gone having count(*) > 0
   $$`,
  `create function tally_inserts() returns trigger language plpgsql as $$
   declare owner record;
   begin
     for owner in
       select sub_account_id, count(*) as rows from added where deleted_at is null group by 1
     loop
       insert into tallies (sub_account_id, noun, difference)
       values (owner.sub_account_id, tg_table_name, owner.rows);
       if random() < 0.01 then
         perform fold_tally(owner.sub_account_id, tg_table_name);
       end if;
     end loop;
     return null;
   end $$`,
  `create function tally_delete() returns trigger language plpgsql as $$
   begin
     insert into tallies (sub_account_id, noun, difference)
     values (new.sub_account_id, tg_table_name, case when new.deleted_at is null then 1 else -1 end);
     return null;
   end $$`,
  `create trigger contacts_tally_inserts after insert on contacts
   referencing new table as added for each statement execute function tally_inserts()`,
  `create trigger contacts_tally_deletes after update of deleted_at on contacts for each row
   when (old.deleted_at is null <> (new.deleted_at is null)) execute function tally_delete()`,
]);
