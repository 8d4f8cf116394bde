import { defineMigration } from '#platform/database/migrate/migration.ts';

export const snoozedUntil = defineMigration('20261124070000_snoozed_until', [
  `alter table conversations add column snoozed_until timestamptz(3)`,
  // The periodic job that opens conversations looks across all sub-accounts.
  `create index conversations_snoozed_until on conversations (snoozed_until)
   where snoozed_until is not null`,
  // Whatever ends the snooze, a message or a person, also clears its time.
  `create function clear_snoozed_until() returns trigger language plpgsql as $$
   begin
     new.snoozed_until := null;
     return new;
   end $$`,
  `create trigger conversations_clear_snoozed_until before update of status on conversations
   for each row when (new.status <> 'snoozed' and new.snoozed_until is not null)
   execute function clear_snoozed_until()`,
]);
