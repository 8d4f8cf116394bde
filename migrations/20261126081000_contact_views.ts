import { defineMigration } from '#platform/database/migrate/migration.ts';

export const contactViews = defineMigration('20261126081000_contact_views', [
  // How a user lists contacts: a filter with a name, and the columns. The one without a name is the
  // list of all contacts. Users belong to the installation, so an imported sub-account may name some
  // that are unknown here.
  `create table contact_views (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    user_id uuid not null,
    name text,
    filter jsonb not null,
    columns text[] not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    constraint contact_views_name unique nulls not distinct (sub_account_id, user_id, name)
  )`,
  // A change of many contacts at once, which a worker makes in batches. `reached` is the last contact
  // of the last batch.
  `create table contact_bulk_changes (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    status text not null check (status in ('running', 'done', 'failed')),
    selection jsonb not null,
    change jsonb not null,
    started_by text not null,
    request_id text not null,
    reached uuid,
    total integer not null,
    processed integer not null,
    changed integer not null,
    refused integer not null,
    error text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,
]);
