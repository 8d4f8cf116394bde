import { defineMigration } from '#platform/database/migrate/migration.ts';

export const holding = defineMigration('20261121190000_holding', [
  // Whether workers are held after a restore, and how often they were released: a worker that was
  // started held waits for the next release. One row for the installation.
  `create table holding (
    id boolean primary key default true check (id),
    held_since timestamptz(3),
    reason text,
    releases integer not null default 0,
    check ((held_since is null) = (reason is null))
  )`,
  `insert into holding default values`,
  `create trigger holding_announce after update on holding
   for each statement execute function announce_change()`,
]);
