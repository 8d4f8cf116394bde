import { defineMigration } from '#platform/database/migrate/migration.ts';

export const processes = defineMigration('20261122013000_processes', [
  // Heartbeats of servers and workers, with the figures of workers, which serve no metrics
  // themselves. Unlogged and not in backups: useless after a crash.
  `create unlogged table processes (
    id uuid primary key,
    kind text not null,
    host text not null,
    pid integer not null,
    seen_at timestamptz(3) not null,
    clock_ahead_ms bigint not null,
    figures jsonb not null
  )`,
]);
