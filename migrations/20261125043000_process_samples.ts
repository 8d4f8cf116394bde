import { defineMigration } from '#platform/database/migrate/migration.ts';

export const processSamples = defineMigration('20261125043000_process_samples', [
  // What each process did in a minute, for the plots of the console; kept for eight days. Unlogged: losing
  // it in a crash of the database loses plots only.
  `create unlogged table process_samples (
    minute timestamptz(3) not null,
    process_id uuid not null,
    requests integer not null,
    errors integer not null,
    latency_sum_ms double precision not null,
    deliveries integer not null,
    queue_depth integer not null,
    primary key (minute, process_id)
  )`,
]);
