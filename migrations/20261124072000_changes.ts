import { defineMigration } from '#platform/database/migrate/migration.ts';

/** Notes one change per statement row: the id of the record, and of its conversation. */
const noting = (topic: string, event: 'insert' | 'update', table: string, name: string): string =>
  `create trigger ${table}_note_${event} after ${event} on ${table}
   referencing new table as changed for each statement execute function ${name}('${topic}')`;

const both = (topic: string, table: string, name = 'note_changes'): string[] => [
  noting(topic, 'insert', table, name),
  noting(topic, 'update', table, name),
];

export const changes = defineMigration('20261124072000_changes', [
  // What changed in a sub-account, for the console, for an hour. Unlogged: it costs no WAL and is in
  // no backup. A crash of the database empties it; the first row (xid 0) names its epoch, so that
  // readers notice.
  `create unlogged table changes (
    sub_account_id uuid not null,
    xid xid8 not null default pg_current_xact_id(),
    id uuid not null default gen_random_uuid(),
    topic text not null,
    record_id uuid not null,
    conversation_id uuid,
    noted_at timestamptz(3) not null default now(),
    primary key (sub_account_id, xid, id)
  )`,
  `create function note_changes() returns trigger language plpgsql as $$
   begin
     insert into changes (sub_account_id, topic, record_id)
       select distinct sub_account_id, tg_argv[0], id from changed;
     return null;
   end $$`,
  `create function note_message_changes() returns trigger language plpgsql as $$
   begin
     insert into changes (sub_account_id, topic, record_id, conversation_id)
       select distinct sub_account_id, tg_argv[0], id, conversation_id from changed;
     return null;
   end $$`,
  // Deliveries are logged in batches: the newest of each subscription stands for them.
  `create function note_delivery_changes() returns trigger language plpgsql as $$
   begin
     insert into changes (sub_account_id, topic, record_id)
       select distinct on (sub_account_id, subscription_id) sub_account_id, tg_argv[0], id
       from changed order by sub_account_id, subscription_id, id desc;
     return null;
   end $$`,
  ...both('conversation', 'conversations'),
  ...both('message', 'messages', 'note_message_changes'),
  ...both('appointment', 'appointments'),
  ...both('task', 'tasks'),
  ...both('opportunity', 'opportunities'),
  ...both('campaign', 'campaigns'),
  ...both('run', 'workflow_runs'),
  noting('delivery', 'insert', 'webhook_deliveries', 'note_delivery_changes'),
]);
