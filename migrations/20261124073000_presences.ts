import { defineMigration } from '#platform/database/migrate/migration.ts';

export const presences = defineMigration('20261124073000_presences', [
  // The participants that look at a conversation or type in it: true for seconds, so it is not logged.
  `create unlogged table presences (
    sub_account_id uuid not null,
    conversation_id uuid not null,
    participant text not null,
    name text not null,
    seen_at timestamptz(3) not null,
    typing_until timestamptz(3),
    primary key (sub_account_id, conversation_id, participant)
  )`,
  // A visitor of the chat sees that the team types; the console sees every participant.
  `create function note_presence() returns trigger language plpgsql as $$
   declare
     one presences := coalesce(new, old);
   begin
     insert into changes (sub_account_id, topic, record_id)
       values (one.sub_account_id, 'presence', one.conversation_id);
     if one.participant <> 'visitor' and exists (
       select from conversations v where v.sub_account_id = one.sub_account_id
         and v.id = one.conversation_id and v.channel = 'live_chat'
     ) then
       perform pg_notify('frontdesk_changes', 'chat:' || one.conversation_id);
     end if;
     return null;
   end $$`,
  `create trigger presences_note_ends after insert or delete on presences
   for each row execute function note_presence()`,
  // A heartbeat alone is no change, unless the participant had been gone.
  `create trigger presences_note_changes after update on presences
   for each row when (new.typing_until is distinct from old.typing_until
     or new.seen_at > old.seen_at + interval '30 seconds')
   execute function note_presence()`,
]);
