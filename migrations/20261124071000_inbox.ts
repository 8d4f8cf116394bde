import { defineMigration } from '#platform/database/migrate/migration.ts';

export const inbox = defineMigration('20261124071000_inbox', [
  // The inbox is ordered by activity. Its indexes have the hour, and only whether there are unread
  // messages: an update that changes neither needs no new index entries (a third of the time).
  `alter table conversations
     add column activity_hour integer not null generated always as
       (floor(extract(epoch from coalesce(last_message_at, created_at) at time zone 'UTC') / 3600)::integer)
       stored,
     add column is_unread boolean not null generated always as (unread_count > 0) stored`,
  `create index conversations_by_activity on conversations (sub_account_id, activity_hour)
   where deleted_at is null`,
  `create index conversations_unread on conversations (sub_account_id, activity_hour)
   where deleted_at is null and is_unread`,
  `create index conversations_archived on conversations (sub_account_id, activity_hour)
   where deleted_at is null and is_archived`,

  // A failed message is sent again once: the copy names it.
  `alter table messages add column resend_of uuid`,
  `create unique index messages_resend_of on messages (sub_account_id, resend_of)
   where resend_of is not null`,

  `create table saved_replies (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    body text not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key)
  )`,

  // Unsent text of a user. Users belong to the installation, so an imported sub-account may name some
  // that are unknown here.
  `create table drafts (
    sub_account_id uuid not null,
    id uuid not null,
    conversation_id uuid not null,
    user_id uuid not null,
    body_text text not null,
    subject text,
    is_internal boolean not null default false,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, conversation_id, user_id),
    constraint drafts_conversation_fkey foreign key (sub_account_id, conversation_id)
      references conversations (sub_account_id, id) on delete cascade
  )`,
]);
