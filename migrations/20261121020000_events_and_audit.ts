import { defineMigration } from '#platform/migration.ts';

export const eventsAndAudit = defineMigration('20261121020000_events_and_audit', [
  `create table events (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    name text not null,
    contact_id uuid,
    data json not null,
    occurred_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,

  // Who changed what. A null sub-account is the agency as a whole.
  `create table audit_entries (
    id uuid primary key,
    sub_account_id uuid references sub_accounts (id),
    at timestamptz(3) not null,
    operation text not null,
    actor_kind text not null,
    actor text not null,
    key_prefix text,
    request_id text not null,
    record_id text not null
  )`,
  `create index audit_entries_of_sub_account on audit_entries (sub_account_id, id)`,
]);
