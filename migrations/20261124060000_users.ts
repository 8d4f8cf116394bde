import { defineMigration } from '#platform/database/migrate/migration.ts';

export const users = defineMigration('20261124060000_users', [
  // People belong to the installation; memberships give them a role in sub-accounts.
  `create table users (
    id uuid primary key,
    email text not null unique check (email = lower(email)),
    name text,
    is_owner boolean not null,
    disabled_at timestamptz(3),
    last_sign_in_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create table memberships (
    sub_account_id uuid not null references sub_accounts (id),
    user_id uuid not null references users (id) on delete cascade,
    role text not null check (role in ('admin', 'agent', 'viewer')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, user_id)
  )`,
  `create index memberships_of_user on memberships (user_id)`,

  `create table sign_in_links (
    token_hash text primary key,
    user_id uuid not null references users (id) on delete cascade,
    purpose text not null check (purpose in ('mail', 'shown')),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  )`,
  `create index sign_in_links_of_user on sign_in_links (user_id, created_at)`,
  `create table user_sessions (
    id uuid primary key,
    token_hash text not null unique,
    user_id uuid not null references users (id) on delete cascade,
    created_at timestamptz(3) not null,
    verified_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null
  )`,
  `create index user_sessions_of_user on user_sessions (user_id)`,
  `create table passkeys (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null default '{}',
    name text not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  )`,
  `create index passkeys_of_user on passkeys (user_id)`,
]);
