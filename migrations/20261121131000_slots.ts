import { defineMigration } from '#platform/database/migrate/migration.ts';

export const slots = defineMigration('20261121131000_slots', [
  // The requested slot; possible members are in the order of the calendar.
  `create type slot_wish as (
    kind text,
    wanted uuid[],
    blocked_from timestamptz,
    blocked_until timestamptz,
    seats integer,
    day_from timestamptz,
    day_until timestamptz,
    max_per_day integer,
    asked_at timestamptz
  )`,

  // Of the possible members, the one with fewer upcoming appointments, then the one whose last
  // assignment is longer ago.
  `create function in_turn(target appointments, wish slot_wish) returns uuid[]
   language sql stable as $$
     select array_agg(one order by (one = target.assigned_to) desc nulls last, (
         select count(*) from appointments a
         where a.sub_account_id = target.sub_account_id and a.calendar_id = target.calendar_id
           and a.assigned_to = one and a.status in ('scheduled', 'confirmed')
           and a.start_time > wish.asked_at
       ), (
         select max(a.assigned_at) from appointments a
         where a.sub_account_id = target.sub_account_id and a.calendar_id = target.calendar_id
           and a.assigned_to = one
       ) nulls first, place)
     from unnest(wish.wanted) with ordinality as listed (one, place)
   $$`,

  // Requests for the same slot wait here; later statements see the changes of the first.
  `create function hold_name(variadic parts text[]) returns void language sql volatile as $$
     select pg_advisory_xact_lock(hashtextextended(array_to_string(parts, ' '), 0))
   $$`,

  // A shared lock for bookings of a type, exclusive for its removal.
  `create function type_lock(type_id uuid) returns bigint language sql immutable
   return hashtextextended('type ' || type_id, 0)`,

  `create function refuse_full_day(target appointments, wish slot_wish) returns void
   language plpgsql as $$
   begin
     perform hold_name('day', target.sub_account_id::text, target.calendar_id::text,
       extract(epoch from wish.day_from)::text);
     if wish.max_per_day <= (
       select count(*) from appointments
       where sub_account_id = target.sub_account_id and calendar_id = target.calendar_id
         and start_time >= wish.day_from and start_time < wish.day_until
         and status <> 'cancelled' and id <> target.id
     ) then
       raise check_violation using constraint = 'appointments_day_full',
         message = 'the day is full';
     end if;
   end $$`,

  // Takes a seat of a class from the member who gives it already, otherwise from the first free
  // member. A class is its type and start; its seats share a slot and have unique numbers.
  `create function take_seat(target appointments, wish slot_wish) returns uuid
   language plpgsql as $$
   declare
     class uuid := md5(concat_ws(' ', target.appointment_type_id,
       extract(epoch from target.start_time)))::uuid;
     givers uuid[];
     seats_taken integer;
     free_seat integer;
     one uuid;
   begin
     perform hold_name('class', target.sub_account_id::text, class::text);
     select count(*), coalesce(array_agg(distinct member_id), '{}') into seats_taken, givers
     from appointment_blocks where sub_account_id = target.sub_account_id and slot_id = class;
     if seats_taken < wish.seats then
       select min(n) into free_seat from generate_series(1, wish.seats) as n
       where not exists (
         select from appointment_blocks
         where sub_account_id = target.sub_account_id and slot_id = class and seat = n
       );
     end if;
     if free_seat is not null then
       foreach one in array wish.wanted loop
         continue when givers && wish.wanted and one <> all (givers);
         insert into appointment_blocks (sub_account_id, appointment_id, member_id, block, slot_id,
           seat, seat_type_id, seat_start)
         values (target.sub_account_id, target.id, one,
           tstzrange(wish.blocked_from, wish.blocked_until), class,
           free_seat, target.appointment_type_id, target.start_time)
         on conflict on constraint appointment_blocks_overlap do nothing;
         if found then
           return one;
         end if;
       end loop;
     end if;
     raise exclusion_violation using constraint = 'appointment_blocks_overlap',
       message = 'no seat is left';
   end $$`,

  // Blocks the time of all members, or of the first free one.
  `create function take_time(target appointments, wish slot_wish) returns uuid
   language plpgsql as $$
   declare
     one uuid;
   begin
     if wish.kind = 'collective' then
       insert into appointment_blocks (sub_account_id, appointment_id, member_id, block, slot_id)
       select target.sub_account_id, target.id, each.id,
         tstzrange(wish.blocked_from, wish.blocked_until), target.id
       from unnest(wish.wanted) as each (id) order by each.id;
       return wish.wanted[1];
     end if;
     foreach one in array wish.wanted loop
       insert into appointment_blocks (sub_account_id, appointment_id, member_id, block, slot_id)
       values (target.sub_account_id, target.id, one,
         tstzrange(wish.blocked_from, wish.blocked_until), target.id)
       on conflict on constraint appointment_blocks_overlap do nothing;
       if found then
         return one;
       end if;
     end loop;
     raise exclusion_violation using constraint = 'appointment_blocks_overlap',
       message = 'nobody is free';
   end $$`,

  // Moves an appointment into a slot, out of its current one, and returns its assignee. Refused by
  // the constraint appointments_day_full or appointment_blocks_overlap.
  `create function take_slot(target appointments, wish slot_wish) returns uuid
   language plpgsql as $$
   begin
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

  // Books an appointment in one statement. Removing the type, and deleting or merging an existing
  // contact (contact_lives), are serialised with it.
  `create function book_appointment(booked appointments, wish slot_wish, contact_lives boolean)
   returns appointments language plpgsql as $$
   begin
     -- Not a lock on the row: many book of one type at once, and PostgreSQL would write each of them down.
     perform pg_advisory_xact_lock_shared(type_lock(booked.appointment_type_id));
     if not exists (
       select from appointment_types
       where sub_account_id = booked.sub_account_id and id = booked.appointment_type_id
         and deleted_at is null and is_active
     ) then
       raise check_violation using constraint = 'appointments_type_is_bookable',
         message = 'the type cannot be booked any more';
     end if;
     if contact_lives then
       perform from contacts
       where sub_account_id = booked.sub_account_id and id = booked.contact_id
         and deleted_at is null for key share;
       if not found then
         raise check_violation using constraint = 'appointments_contact_lives',
           message = 'the contact is gone';
       end if;
     end if;
     booked.assigned_to := take_slot(booked, wish);
     insert into appointments select booked.*;
     return booked;
   end $$`,

  // Moves an appointment that the caller has locked. An unchanged assignee keeps the time of the
  // assignment.
  `create function move_appointment(
     of_sub_account uuid, moved_id uuid, starts timestamptz, ends timestamptz, wish slot_wish
   ) returns void language plpgsql as $$
   declare
     moved appointments;
   begin
     select * into moved from appointments where sub_account_id = of_sub_account and id = moved_id;
     moved.start_time := starts;
     moved.end_time := ends;
     moved.assigned_to := take_slot(moved, wish);
     update appointments
     set start_time = starts, end_time = ends, assigned_to = moved.assigned_to,
       updated_at = wish.asked_at,
       assigned_at = case when assigned_to is distinct from moved.assigned_to
         then wish.asked_at else assigned_at end
     where sub_account_id = of_sub_account and id = moved_id;
   end $$`,
]);
