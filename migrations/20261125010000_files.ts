import { defineMigration } from '#platform/database/migrate/migration.ts';

export const files = defineMigration('20261125010000_files', [
  // The content is in the storage under content_id, which copies of a file share.
  `create table files (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    content_id uuid not null,
    state text not null check (state in ('stored', 'pending', 'refused')),
    name text not null,
    type text not null,
    size integer,
    refused text,
    source jsonb,
    message_id uuid,
    session_id uuid,
    position integer not null default 0,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, message_id)
      references messages (sub_account_id, id) on delete cascade,
    foreign key (sub_account_id, session_id)
      references chat_sessions (sub_account_id, id) on delete cascade,
    check (state <> 'stored' or size is not null),
    check ((state = 'refused') = (refused is not null)),
    check ((state = 'pending') = (source is not null))
  )`,
  `create index files_of_message on files (sub_account_id, message_id, position)
   where message_id is not null`,
  `create index files_of_session on files (sub_account_id, session_id) where session_id is not null`,
  `create index files_of_content on files (sub_account_id, content_id)`,
  `create index files_unattached on files (created_at) where message_id is null`,

  // Contents to remove from the storage: of deleted rows at once, and of files that are being stored
  // when their time is over and no row came. No reference to sub_accounts: it outlives them.
  `create table file_deletions (
    sub_account_id uuid not null,
    content_id uuid not null,
    due_at timestamptz(3) not null,
    taken_at timestamptz(3),
    primary key (sub_account_id, content_id)
  )`,
  `create index file_deletions_due on file_deletions (due_at)`,
  `create function queue_file_deletions() returns trigger language plpgsql as $$
   begin
     insert into file_deletions (sub_account_id, content_id, due_at)
       select distinct sub_account_id, content_id, now() from gone where state <> 'refused'
       on conflict (sub_account_id, content_id) do update set due_at = now();
     return null;
   end $$`,
  `create trigger files_delete after delete on files
   referencing old table as gone for each statement execute function queue_file_deletions()`,
  // The console reads a message again when a file of it was fetched.
  `create function note_file_changes() returns trigger language plpgsql as $$
   begin
     insert into changes (sub_account_id, topic, record_id, conversation_id)
       select distinct f.sub_account_id, 'message', m.id, m.conversation_id
       from changed f
       join messages m on m.sub_account_id = f.sub_account_id and m.id = f.message_id;
     return null;
   end $$`,
  `create trigger files_note_update after update on files
   referencing new table as changed for each statement execute function note_file_changes()`,
]);
