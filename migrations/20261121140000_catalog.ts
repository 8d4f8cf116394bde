import { defineMigration } from '#platform/database/migrate/migration.ts';

export const catalog = defineMigration('20261121140000_catalog', [
  // Prices and totals are doubles, as in JSON.
  `create table service_types (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    description text,
    category text,
    folder text,
    price double precision not null check (price >= 0),
    currency text not null,
    has_variable_pricing boolean not null,
    on_sale boolean not null,
    position integer not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key)
  )`,

  `create table estimates (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    contact_id uuid not null,
    -- By which the manifest names the contact.
    contact_email text not null,
    number text not null,
    status text not null check (status in
      ('draft', 'sent', 'approved', 'declined', 'expired', 'invoiced')),
    is_approved boolean not null,
    total double precision not null,
    currency text not null,
    valid_until timestamptz(3),
    approved_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key),
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id)
  )`,
  `create index estimates_of_contact on estimates (sub_account_id, contact_id, id)`,
]);
