import { defineMigration } from '#platform/database/migrate/migration.ts';

export const calendars = defineMigration('20261121120000_calendars', [
  `create extension if not exists btree_gist`,

  // Hours and overrides as in the manifest: times of day in the calendar's zone.
  `create table calendars (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    type text not null check (type in ('personal', 'round-robin', 'collective', 'class')),
    timezone text,
    position integer not null,
    hours jsonb not null,
    overrides jsonb not null,
    slot_interval integer check (slot_interval > 0),
    buffer_before integer not null check (buffer_before >= 0),
    buffer_after integer not null check (buffer_after >= 0),
    minimum_notice integer not null check (minimum_notice >= 0),
    maximum_advance integer check (maximum_advance > 0),
    max_per_day integer check (max_per_day > 0),
    allow_customer_reschedule boolean not null,
    cancel_notice integer not null check (cancel_notice >= 0),
    reschedule_notice integer not null check (reschedule_notice >= 0),
    show_seats boolean not null,
    confirmation jsonb,
    reminders jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id),
    unique (sub_account_id, key)
  )`,

  `create table calendar_members (
    sub_account_id uuid not null,
    id uuid not null,
    calendar_id uuid not null,
    member_id uuid not null,
    position integer not null,
    hours jsonb,
    primary key (sub_account_id, id),
    unique (sub_account_id, calendar_id, member_id),
    foreign key (sub_account_id, calendar_id) references calendars (sub_account_id, id),
    foreign key (sub_account_id, member_id) references team_members (sub_account_id, id)
      on delete cascade
  )`,
  `create index calendar_members_by_member on calendar_members (sub_account_id, member_id)`,

  `create table appointment_types (
    sub_account_id uuid not null,
    id uuid not null,
    calendar_id uuid not null,
    key text not null,
    name text not null,
    slug text not null,
    duration integer not null check (duration > 0),
    seats integer check (seats > 0),
    is_active boolean not null,
    position integer not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id),
    unique (sub_account_id, key),
    foreign key (sub_account_id, calendar_id) references calendars (sub_account_id, id)
  )`,
  `create index appointment_types_by_calendar on appointment_types (sub_account_id, calendar_id)`,

  // Processes cache calendars and drop them when they are notified of a change.
  ...['calendars', 'calendar_members', 'appointment_types'].map(
    (table) => `create trigger ${table}_announce after insert or update or delete on ${table}
     for each statement execute function announce_change()`,
  ),
]);
