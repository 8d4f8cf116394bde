import { defineMigration } from '#platform/database/migrate/migration.ts';

export const manifestReferences = defineMigration('20261123060000_manifest_references', [
  // The `${env:NAME}` texts of a manifest, by the field they stand in; values are stored elsewhere.
  `create table manifest_references (
    sub_account_id uuid not null references sub_accounts (id),
    section text not null,
    entry text not null,
    path text not null,
    reference text not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, section, entry, path)
  )`,
]);
