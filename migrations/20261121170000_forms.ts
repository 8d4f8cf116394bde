import { defineMigration } from '#platform/database/migrate/migration.ts';

export const forms = defineMigration('20261121170000_forms', [
  `create table forms (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    captcha boolean not null,
    message text,
    redirect_url text,
    fields jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id)
  )`,
  `create unique index forms_key on forms (sub_account_id, key) where deleted_at is null`,
  // A submission names the form only. No unique index: it would have to span all sub-accounts.
  `create index forms_by_id on forms (id)`,
  `create trigger forms_announce after insert or update or delete on forms
   for each statement execute function announce_change()`,

  `create table form_submissions (
    sub_account_id uuid not null,
    id uuid not null,
    form_id uuid not null,
    contact_id uuid,
    fields jsonb not null,
    page_url text,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, form_id) references forms (sub_account_id, id),
    constraint form_submissions_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id)
  )`,
  `create index form_submissions_by_time on form_submissions (sub_account_id, created_at, id)`,
  `create index form_submissions_of_contact on form_submissions (sub_account_id, contact_id, id)
   where contact_id is not null`,

  // Used challenges: of their sub-account, or of none if they were valid for any. Deleted when
  // expired.
  `create table spent_challenges (
    sub_account_id uuid not null,
    id uuid not null,
    expires_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,
  `create index spent_challenges_expiry on spent_challenges (expires_at)`,

  `create table invoice_settings (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    secret bytea not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id)
  )`,

  // An invoice is paid once, however often it is reported. Amounts are doubles, as in JSON.
  `create table paid_invoices (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    invoice_id text not null,
    amount double precision not null,
    currency text not null,
    email text,
    contact_id uuid,
    paid_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, invoice_id),
    constraint paid_invoices_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id)
  )`,
  `create index paid_invoices_of_contact on paid_invoices (sub_account_id, contact_id, id)
   where contact_id is not null`,
]);
