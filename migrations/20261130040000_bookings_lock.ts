import { defineMigration } from '#platform/database/migrate/migration.ts';

export const bookingsLock = defineMigration('20261130040000_bookings_lock', [
  // A shared lock for bookings of a sub-account, exclusive for removals of types and members.
  `create function bookings_lock(of_sub_account uuid) returns bigint language sql immutable
   return hashtextextended('bookings ' || of_sub_account, 0)`,

  // The same as before, with the lock of the sub-account instead of that of the type.
  `create or replace function book_appointment(
     booked appointments, wish slot_wish, contact_lives boolean
   ) returns appointments language plpgsql as $$
   begin
     -- Not a lock on the row: many book of one type at once, and PostgreSQL would write each of them down.
     perform pg_advisory_xact_lock_shared(bookings_lock(booked.sub_account_id));
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

  'drop function type_lock(uuid)',
]);
