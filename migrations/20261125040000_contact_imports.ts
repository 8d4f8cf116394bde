import { defineMigration } from '#platform/database/migrate/migration.ts';

export const contactImports = defineMigration('20261125040000_contact_imports', [
  // Imports of contacts from the console. `uploading` is a file that is not complete yet, or never will
  // be: housekeeping deletes it after a day.
  `create table contact_imports (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    status text not null,
    list text,
    dry_run boolean not null,
    columns text[],
    started_by text not null,
    request_id text not null,
    processed integer not null,
    total integer not null,
    error text,
    result jsonb,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,
  // The file, in parts of about 256 KiB, until the import ends.
  `create table contact_import_parts (
    sub_account_id uuid not null,
    import_id uuid not null,
    position integer not null,
    content bytea not null,
    primary key (sub_account_id, import_id, position),
    foreign key (sub_account_id, import_id)
      references contact_imports (sub_account_id, id) on delete cascade
  )`,
]);
