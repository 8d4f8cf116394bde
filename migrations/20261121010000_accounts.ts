import { defineMigration } from '#platform/database/migrate/migration.ts';

export const accounts = defineMigration('20261121010000_accounts', [
  `create extension if not exists pg_trgm`,
  `create extension if not exists btree_gin`,
  `create extension if not exists unaccent`,

  `create table installation (
    id boolean primary key default true check (id),
    key_check bytea not null
  )`,

  `create table sub_accounts (
    id uuid primary key,
    location_id text not null unique,
    name text not null,
    timezone text not null,
    currency text not null,
    locale text not null,
    brand text,
    admins text[] not null default '{}',
    features text[],
    custom_values jsonb not null default '{}',
    sandbox boolean not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3)
  )`,

  // Agency keys belong to no sub-account, so this table has no sub_account_id.
  `create table api_keys (
    id uuid primary key,
    sub_account_id uuid references sub_accounts (id),
    kind text not null check (kind in ('live', 'test', 'agency_live', 'agency_test')),
    name text not null,
    prefix text not null,
    hash text not null unique,
    previous_hash text unique,
    previous_expires_at timestamptz(3),
    scopes text[] not null,
    rate_read text,
    rate_write text,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) not null,
    check ((sub_account_id is null) = (kind like 'agency%')),
    check ((previous_hash is null) = (previous_expires_at is null))
  )`,
  `create index api_keys_of_sub_account on api_keys (sub_account_id, id)`,

  `create table team_members (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    email text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key)
  )`,

  // Processes cache keys and definitions and drop them when they are notified of a change.
  `create function announce_change() returns trigger language plpgsql as $$
   begin
     perform pg_notify('frontdesk_changes', tg_table_name);
     return null;
   end $$`,
  `create trigger sub_accounts_announce after insert or update or delete on sub_accounts
   for each statement execute function announce_change()`,
  `create trigger api_keys_announce
   after insert or delete or update of hash, previous_hash, previous_expires_at, scopes,
     rate_read, rate_write, expires_at, revoked_at on api_keys
   for each statement execute function announce_change()`,
]);
