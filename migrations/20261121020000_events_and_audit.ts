import { defineMigration } from '#platform/database/migrate/migration.ts';

export const eventsAndAudit = defineMigration('20261121020000_events_and_audit', [
  // Where a change leaves its events, in its own transaction. Rows stay for milliseconds: one index,
  // and no key or reference that nothing would ever break, since every write pays for each.
  `create table outbox (
    sub_account_id uuid not null,
    id uuid not null,
    name text not null,
    contact_id uuid,
    data json not null,
    occurred_at timestamptz(3) not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
  `create index outbox_by_age on outbox (id)`,

  // The same events in the order in which everybody sees them. Positions are given to what is
  // committed already, by one publisher at a time, so that a smaller one never appears later.
  // The test event of a subscription has none: it is in nobody's order.
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

  // Who changed what; of the agency as a whole where the sub-account is the nil UUID.
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
