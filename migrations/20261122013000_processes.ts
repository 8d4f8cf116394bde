import { defineMigration } from '#platform/database/migrate/migration.ts';

export const processes = defineMigration('20261122013000_processes', [
  // Signs of life of servers and workers, with what a worker could not tell otherwise, for it serves
  // no metrics of its own. Of no use after a crash, hence unlogged; no backup has it.
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
