import { defineMigration } from '#platform/database/migrate/migration.ts';

export const conversations = defineMigration('20261121080000_conversations', [
  `create table conversations (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    contact_id uuid not null,
    channel text not null check (channel in
      ('sms', 'email', 'messenger', 'instagram', 'gmail', 'live_chat', 'social_dm')),
    status text not null check (status in ('open', 'closed', 'snoozed')),
    assigned_to uuid,
    subject text,
    unread_count integer not null default 0 check (unread_count >= 0),
    is_archived boolean not null default false,
    last_message_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    primary key (sub_account_id, id),
    constraint conversations_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id),
    constraint conversations_assigned_to_fkey foreign key (sub_account_id, assigned_to)
      references team_members (sub_account_id, id) on delete set null (assigned_to)
  )`,
  // The thread for messages of a channel: at most one. On sms it is always the same conversation,
  // elsewhere the open one; each live chat is a conversation of its own.
  `create unique index conversations_current on conversations (sub_account_id, contact_id, channel)
   where deleted_at is null
     and (channel = 'sms' or (status = 'open' and channel <> 'live_chat'))`,
  `create index conversations_live on conversations (sub_account_id, id) where deleted_at is null`,
  `create index conversations_by_contact on conversations (sub_account_id, contact_id, id)
   where deleted_at is null`,
  `create index conversations_by_status on conversations (sub_account_id, status, id)
   where deleted_at is null`,
  `create index conversations_by_channel on conversations (sub_account_id, channel, id)
   where deleted_at is null`,
  `create index conversations_by_assignee on conversations (sub_account_id, assigned_to, id)
   where deleted_at is null and assigned_to is not null`,

  `create trigger conversations_tally_inserts after insert on conversations
   referencing new table as added for each statement execute function tally_inserts()`,
  `create trigger conversations_tally_deletes after update of deleted_at on conversations
   for each row when (old.deleted_at is null <> (new.deleted_at is null))
   execute function tally_delete()`,

  `create table messages (
    sub_account_id uuid not null,
    id uuid not null,
    conversation_id uuid not null,
    channel text not null check (channel in
      ('sms', 'email', 'messenger', 'instagram', 'gmail', 'live_chat', 'social_dm')),
    direction text not null check (direction in ('inbound', 'outbound')),
    body_text text,
    body_html text,
    subject text,
    status text not null check (status in
      ('pending', 'sent', 'delivered', 'read', 'failed', 'bounced')),
    from_address text,
    to_address text,
    is_internal boolean not null default false,
    external_id text,
    error_code text,
    error_message text,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    constraint messages_conversation_fkey foreign key (sub_account_id, conversation_id)
      references conversations (sub_account_id, id),
    check (not is_internal or direction = 'outbound')
  )`,
  `create index messages_of_conversation on messages (sub_account_id, conversation_id, id)`,
  // A provider's id of a message is accepted once per channel.
  `create unique index messages_by_external_id on messages (sub_account_id, channel, external_id)
   where external_id is not null`,

  // The provider of each channel. Secrets are encrypted.
  `create table channels (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    channel text not null check (channel in
      ('sms', 'email', 'messenger', 'instagram', 'gmail', 'live_chat', 'social_dm')),
    provider text not null,
    settings jsonb not null default '{}',
    secrets bytea,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, channel)
  )`,
  `create trigger channels_announce after insert or update or delete on channels
   for each statement execute function announce_change()`,
]);
