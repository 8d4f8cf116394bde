import { defineMigration } from '#platform/database/migrate/migration.ts';

export const waitingList = defineMigration('20261125061000_waiting_list', [
  // Minutes for which a freed slot is held for one person; null: the calendar has no waiting list.
  `alter table calendars add waiting_list_minutes integer check (waiting_list_minutes > 0)`,
  // A person who waits for a time between two instants: the visitor's day.
  `create table waiting_entries (
    sub_account_id uuid not null references sub_accounts,
    id uuid not null,
    appointment_type_id uuid not null,
    contact_id uuid not null,
    from_time timestamptz(3) not null,
    until_time timestamptz(3) not null,
    timezone text not null,
    state text not null check (state in ('waiting', 'offered', 'booked', 'left')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, appointment_type_id)
      references appointment_types (sub_account_id, id),
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id)
  )`,
  // One person waits once for a day of a type. Also finds who is next.
  `create unique index waiting_entries_once on waiting_entries
     (sub_account_id, appointment_type_id, contact_id, from_time)
     where state in ('waiting', 'offered')`,
  `create index waiting_entries_next on waiting_entries (sub_account_id, until_time)
     where state = 'waiting'`,
  `create index waiting_entries_of_contact on waiting_entries (sub_account_id, contact_id)`,
  // A freed slot that is held for one person. What it blocks cannot be booked by others while it is offered.
  `create table waiting_offers (
    sub_account_id uuid not null,
    id uuid not null,
    entry_id uuid not null,
    calendar_id uuid not null,
    appointment_type_id uuid not null,
    start_time timestamptz(3) not null,
    end_time timestamptz(3) not null,
    blocked tstzrange not null,
    member_ids uuid[] not null,
    is_seat boolean not null,
    state text not null check (state in ('offered', 'booked', 'declined', 'expired')),
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, entry_id) references waiting_entries (sub_account_id, id)
      on delete cascade
  )`,
  // A person gets one offer at a time, and each start once.
  `create unique index waiting_offers_one on waiting_offers (sub_account_id, entry_id)
     where state = 'offered'`,
  `create unique index waiting_offers_once on waiting_offers (sub_account_id, entry_id, start_time)`,
  `create index waiting_offers_open on waiting_offers (sub_account_id) where state = 'offered'`,
  // Shared by those who take a slot, exclusive while a slot is offered: the second sees the first.
  `create function offers_lock(of_sub_account uuid) returns bigint language sql immutable
   return hashtextextended('offers ' || of_sub_account, 0)`,
  // Takes what is held for others out of the requested slot. Refused like a slot that is taken.
  `create function without_held(target appointments, wish slot_wish) returns slot_wish
   language plpgsql as $$
   declare
     held uuid[];
   begin
     perform pg_advisory_xact_lock_shared(offers_lock(target.sub_account_id));
     select array_agg(one) into held
     from waiting_offers o, unnest(o.member_ids) as one
     where o.sub_account_id = target.sub_account_id and o.state = 'offered'
       and o.blocked && tstzrange(wish.blocked_from, wish.blocked_until)
       and not (o.is_seat and o.appointment_type_id = target.appointment_type_id
         and o.start_time = target.start_time);
     if wish.kind = 'class' then
       wish.seats := wish.seats - (
         select count(*) from waiting_offers o
         where o.sub_account_id = target.sub_account_id and o.state = 'offered' and o.is_seat
           and o.appointment_type_id = target.appointment_type_id
           and o.start_time = target.start_time
       );
     end if;
     if wish.max_per_day is not null then
       wish.max_per_day := wish.max_per_day - (
         select count(*) from waiting_offers o
         where o.sub_account_id = target.sub_account_id and o.state = 'offered'
           and o.calendar_id = target.calendar_id
           and o.start_time >= wish.day_from and o.start_time < wish.day_until
       );
     end if;
     if held is null then
       return wish;
     end if;
     if wish.kind <> 'collective' then
       wish.wanted := array(
         select one from unnest(wish.wanted) with ordinality as listed (one, place)
         where one <> all (held) order by place
       );
     end if;
     if wish.wanted = '{}' or wish.wanted && held then
       raise exclusion_violation using constraint = 'appointment_blocks_overlap',
         message = 'the slot is held for a person who waited for it';
     end if;
     return wish;
   end $$`,
  `create or replace function take_slot(target appointments, wish slot_wish) returns uuid
   language plpgsql as $$
   begin
     wish := without_held(target, wish);
     if wish.max_per_day is not null then
       perform refuse_full_day(target, wish);
     end if;
     if wish.kind = 'round-robin' then
       perform hold_name('turn', target.sub_account_id::text, target.calendar_id::text);
       wish.wanted := in_turn(target, wish);
     end if;
     delete from appointment_blocks
     where sub_account_id = target.sub_account_id and appointment_id = target.id;
     return nullif(
       case when wish.kind = 'class' then take_seat(target, wish) else take_time(target, wish) end,
       target.calendar_id
     );
   end $$`,
]);
