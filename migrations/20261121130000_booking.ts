import { defineMigration } from '#platform/database/migrate/migration.ts';

export const booking = defineMigration('20261121130000_booking', [
  // The contact and the blocks of an appointment are inserted by the same statement, in any order.
  `create table appointments (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    calendar_id uuid not null,
    appointment_type_id uuid,
    contact_id uuid,
    title text,
    start_time timestamptz(3) not null,
    end_time timestamptz(3) not null check (end_time > start_time),
    status text not null
      check (status in ('scheduled', 'confirmed', 'completed', 'cancelled', 'no_show')),
    assigned_to uuid,
    assigned_at timestamptz(3) not null,
    notes text,
    cancel_reason text,
    series_id uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    constraint appointments_calendar_fkey foreign key (sub_account_id, calendar_id)
      references calendars (sub_account_id, id),
    constraint appointments_type_fkey foreign key (sub_account_id, appointment_type_id)
      references appointment_types (sub_account_id, id),
    constraint appointments_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id) deferrable initially deferred,
    constraint appointments_assigned_to_fkey foreign key (sub_account_id, assigned_to)
      references team_members (sub_account_id, id) on delete set null (assigned_to)
  )`,
  `create index appointments_by_start on appointments (sub_account_id, start_time)`,
  // Appointments of a day of a calendar, and those that prevent its removal.
  `create index appointments_of_day on appointments (sub_account_id, calendar_id, start_time)
   where status <> 'cancelled'`,
  `create index appointments_by_calendar on appointments (sub_account_id, calendar_id, id)`,
  `create index appointments_by_type on appointments (sub_account_id, appointment_type_id, start_time)`,
  `create index appointments_by_status on appointments (sub_account_id, status, id)`,
  `create index appointments_by_contact on appointments (sub_account_id, contact_id, start_time)`,
  // For a round-robin: each member's upcoming appointments and latest assignment.
  `create index appointments_ahead
   on appointments (sub_account_id, calendar_id, assigned_to, start_time)
   where status in ('scheduled', 'confirmed')`,
  `create index appointments_by_assignment
   on appointments (sub_account_id, calendar_id, assigned_to, assigned_at)`,

  `create function tally_appointments() returns trigger language plpgsql as $$
   declare owner record;
   begin
     for owner in select sub_account_id, count(*) as rows from added group by 1 loop
       insert into tallies (sub_account_id, noun, difference)
       values (owner.sub_account_id, tg_table_name, owner.rows);
       if random() < 0.01 then
         perform fold_tally(owner.sub_account_id, tg_table_name);
       end if;
     end loop;
     return null;
   end $$`,
  `create trigger appointments_tally_inserts after insert on appointments
   referencing new table as added for each statement execute function tally_appointments()`,

  // The time that an appointment blocks, with buffers; deleted when it is cancelled. member_id is a
  // team member, or the calendar if it has no members.
  `create table appointment_blocks (
    sub_account_id uuid not null,
    appointment_id uuid not null,
    member_id uuid not null,
    block tstzrange not null,
    slot_id uuid not null,
    seat integer,
    seat_type_id uuid,
    seat_start timestamptz(3),
    primary key (sub_account_id, appointment_id, member_id),
    check ((seat is null) = (seat_type_id is null) and (seat is null) = (seat_start is null)),
    unique (sub_account_id, slot_id, seat),
    foreign key (sub_account_id, appointment_id) references appointments (sub_account_id, id)
      on delete cascade deferrable initially deferred,
    constraint appointment_blocks_overlap exclude using gist
      (sub_account_id with =, member_id with =, block with &&, slot_id with <>)
  )`,
  `create index appointment_blocks_by_class
   on appointment_blocks (sub_account_id, seat_type_id, seat_start) where seat is not null`,
]);
