import { defineMigration } from '#platform/database/migrate/migration.ts';

export const campaigns = defineMigration('20261121180000_campaigns', [
  // A list with a filter contains matching contacts; a list without one contains its members.
  `create table lists (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    active boolean not null,
    filter jsonb,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key)
  )`,
  `create table list_members (
    sub_account_id uuid not null,
    list_id uuid not null,
    contact_id uuid not null,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, list_id, contact_id),
    foreign key (sub_account_id, list_id) references lists (sub_account_id, id) on delete cascade,
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id)
  )`,
  `create index list_members_by_contact on list_members (sub_account_id, contact_id)`,

  `create table mail_templates (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    html text not null,
    default_list_id uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key),
    foreign key (sub_account_id, default_list_id) references lists (sub_account_id, id)
      on delete set null (default_list_id)
  )`,
  `create index mail_templates_by_name on mail_templates (sub_account_id, name, updated_at)`,

  // The layout at the time the campaign was created.
  `create table campaigns (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    channel text not null,
    name text not null,
    subject text not null,
    preheader text,
    content_html text not null,
    layout text not null,
    layout_html text not null,
    list_id uuid,
    status text not null check (status in
      ('draft', 'scheduled', 'sending', 'paused', 'held', 'sent', 'cancelled')),
    held_because text,
    scheduled_at timestamptz(3),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    served_at timestamptz,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    constraint campaigns_list_fkey foreign key (sub_account_id, list_id)
      references lists (sub_account_id, id) on delete set null (list_id)
  )`,
  `create index campaigns_due on campaigns (scheduled_at) where status = 'scheduled'`,
  `create index campaigns_sending on campaigns (sub_account_id, id) where status = 'sending'`,

  // A row per address, written before any mail server is contacted. A worker claims the row before
  // it sends the mail, so that the outcome of rows claimed by a dead worker is known to be unknown.
  `create table campaign_recipients (
    sub_account_id uuid not null,
    id uuid not null,
    campaign_id uuid not null,
    contact_id uuid not null,
    email text not null,
    address text not null,
    status text not null default 'pending' check (status in
      ('pending', 'sending', 'sent', 'skipped', 'failed', 'unknown')),
    claimed_by uuid,
    attempts smallint not null default 0,
    due_at timestamptz,
    error_code text,
    error_message text,
    settled_at timestamptz(3),
    primary key (sub_account_id, id),
    constraint campaign_recipients_once unique (sub_account_id, campaign_id, address),
    foreign key (sub_account_id, campaign_id) references campaigns (sub_account_id, id),
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id)
  )`,
  `create index campaign_recipients_pending on campaign_recipients (sub_account_id, campaign_id, id)
   where status = 'pending'`,
  `create index campaign_recipients_sending on campaign_recipients (sub_account_id, campaign_id, id)
   where status = 'sending'`,
  `create index campaign_recipients_unknown on campaign_recipients (sub_account_id, campaign_id, id)
   where status = 'unknown'`,

  // The lease of the worker that mails for a sub-account: one at a time, so that its rate is one
  // rate.
  `create table campaign_turns (
    sub_account_id uuid primary key references sub_accounts (id),
    turn uuid,
    turn_until timestamptz
  )`,

  // A version 7 UUID of now (RFC 9562), like those of the processes.
  `create function new_id() returns uuid language sql volatile as $$
     select encode(set_bit(set_bit(
       overlay(uuid_send(gen_random_uuid()) placing
         substring(int8send((extract(epoch from clock_timestamp()) * 1000)::int8) from 3) from 1 for 6),
       52, 1), 53, 1), 'hex')::uuid
   $$`,
]);
