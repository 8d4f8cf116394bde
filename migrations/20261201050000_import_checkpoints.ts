import { defineMigration } from '#platform/database/migrate/migration.ts';

export const importCheckpoints = defineMigration('20261201050000_import_checkpoints', [
  // What each transaction of an import from the console has done, until the import ends: an interrupted
  // import continues after it. Runs that overlap by mistake collide in the key.
  `create table contact_import_checkpoints (
    sub_account_id uuid not null,
    import_id uuid not null,
    first_line integer not null,
    results jsonb not null,
    primary key (sub_account_id, import_id, first_line),
    foreign key (sub_account_id, import_id)
      references contact_imports (sub_account_id, id) on delete cascade
  ) with (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000)`,
]);
