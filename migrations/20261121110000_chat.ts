import { defineMigration } from '#platform/database/migrate/migration.ts';

export const chat = defineMigration('20261121110000_chat', [
  `create table chat_settings (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    settings jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id)
  )`,
  `create trigger chat_settings_announce after insert or update or delete on chat_settings
   for each statement execute function announce_change()`,

  // Only the hash of a visitor's session id is stored; names are stored as typed.
  `create table chat_sessions (
    sub_account_id uuid not null,
    id uuid not null,
    secret_hash bytea not null,
    conversation_id uuid not null,
    visitor_name text not null,
    visitor_email text,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, secret_hash),
    unique (sub_account_id, conversation_id),
    constraint chat_sessions_conversation_fkey foreign key (sub_account_id, conversation_id)
      references conversations (sub_account_id, id)
  )`,

  // Readers of a chat name the last message they have. Ids are made before a writer waits for the
  // conversation, by several processes and clocks; places are assigned under its lock, so that a
  // smaller one is never committed later.
  `alter table messages add column chat_position bigint`,
  `update messages m set chat_position = placed.position
   from (
     select sub_account_id, id,
       row_number() over (partition by sub_account_id, conversation_id order by id) as position
     from messages where channel = 'live_chat'
   ) placed
   where m.sub_account_id = placed.sub_account_id and m.id = placed.id`,
  `create unique index messages_of_chat on messages (sub_account_id, conversation_id, chat_position)
   where chat_position is not null`,
  `create function place_chat_message() returns trigger language plpgsql as $$
   begin
     perform 1 from conversations
       where sub_account_id = new.sub_account_id and id = new.conversation_id
       for no key update;
     select coalesce(max(chat_position), 0) + 1 into new.chat_position from messages
       where sub_account_id = new.sub_account_id and conversation_id = new.conversation_id
         and chat_position is not null;
     return new;
   end $$`,
  `create trigger messages_place_chat before insert on messages
   for each row when (new.channel = 'live_chat' and new.chat_position is null)
   execute function place_chat_message()`,

  // Notifies followers of the chat in every process.
  `create function announce_chat() returns trigger language plpgsql as $$
   begin
     perform pg_notify('frontdesk_changes', 'chat:' || (to_jsonb(new) ->> tg_argv[0]));
     return null;
   end $$`,
  `create trigger messages_announce_chat after insert on messages
   for each row when (new.channel = 'live_chat' and not new.is_internal)
   execute function announce_chat('conversation_id')`,
  `create trigger conversations_announce_chat after update of deleted_at on conversations
   for each row when (new.channel = 'live_chat' and new.deleted_at is distinct from old.deleted_at)
   execute function announce_chat('id')`,
]);
