import { defineMigration } from '#platform/database/migrate/migration.ts';

export const eventsAndAudit = defineMigration('20261121020000_events_and_audit', [
  // A change inserts its events here, in its own transaction. Rows stay for milliseconds: there is
  // one index and no key or reference, since every write pays for each.
  `create table outbox (
    sub_account_id uuid not null,
    id uuid not null,
    name text not null,
    contact_id uuid,
    data json not null,
    occurred_at timestamptz(3) not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  `create index outbox_by_age on outbox (id)`,

  // The same events in their published order. One publisher at a time assigns positions to
  // committed events, so that a smaller position never appears later. The test event of a
  // subscription has no position.
  `create table events (
    sub_account_id uuid not null,
    id uuid not null,
    position bigint,
    name text not null,
    contact_id uuid,
    data json not null,
    occurred_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,
  `create unique index events_in_order on events (sub_account_id, position)
   where position is not null`,
  `create sequence event_positions`,

  // The audit trail; entries with the nil UUID belong to the agency.
  `create table audit_entries (
    sub_account_id uuid not null,
    id uuid not null,
    at timestamptz(3) not null,
    operation text not null,
    actor_kind text not null,
    actor text not null,
    key_prefix text,
    request_id text not null,
    record_id text not null,
    primary key (sub_account_id, id)
  )`,
]);
