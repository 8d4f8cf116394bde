import { defineMigration } from '#platform/database/migrate/migration.ts';

export const externalCalendars = defineMigration('20261121160000_external_calendars', [
  // The number of rotations of a feed's secret address; the owner is a calendar or a team member.
  `create table calendar_feeds (
    sub_account_id uuid not null references sub_accounts (id),
    owner_id uuid not null,
    rotation integer not null check (rotation > 0),
    primary key (sub_account_id, owner_id)
  )`,

  // As in the manifest; the password is encrypted.
  `alter table team_members
     add column external_calendar jsonb,
     add column external_password bytea`,
  `create trigger team_members_announce after insert or update or delete on team_members
   for each statement execute function announce_change()`,

  // The last busy times of a member's external calendar. They stay valid while it cannot be
  // fetched.
  `create table external_busy (
    sub_account_id uuid not null,
    member_id uuid not null,
    busy tstzmultirange not null default '{}',
    asked_at timestamptz(3),
    answered_at timestamptz(3),
    failing_since timestamptz(3),
    last_error text,
    -- By which the other side tells whether anything is new.
    validators jsonb not null default '{}',
    primary key (sub_account_id, member_id),
    foreign key (sub_account_id, member_id) references team_members (sub_account_id, id)
      on delete cascade
  )`,

  // The event for an appointment in a member's CalDAV calendar.
  `create table external_holds (
    sub_account_id uuid not null,
    appointment_id uuid not null,
    member_id uuid not null,
    url text not null,
    etag text,
    start_time timestamptz(3) not null,
    end_time timestamptz(3) not null,
    written_at timestamptz(3) not null,
    -- Since when it is not there any more though the appointment is.
    lost_at timestamptz(3),
    primary key (sub_account_id, appointment_id, member_id),
    foreign key (sub_account_id, appointment_id) references appointments (sub_account_id, id)
      on delete cascade,
    foreign key (sub_account_id, member_id) references team_members (sub_account_id, id)
      on delete cascade
  )`,
  `create index external_holds_by_member on external_holds (sub_account_id, member_id, end_time)`,
]);
