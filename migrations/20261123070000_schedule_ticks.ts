import { defineMigration } from '#platform/database/migrate/migration.ts';

export const scheduleTicks = defineMigration('20261123070000_schedule_ticks', [
  // The last tick of each periodic job: workers that tick at the same time queue one job.
  `create table schedule_ticks (
    job text primary key,
    ticked_at timestamptz(3) not null
  )`,
]);
