import { defineMigration } from '#platform/database/migrate/migration.ts';

export const mail = defineMigration('20261121100000_mail', [
  // How far a channel's mailbox has been read, and the worker that reads it. `place` identifies the
  // mailbox: another server or user starts again.
  `create table mailboxes (
    sub_account_id uuid not null,
    id uuid not null,
    place text,
    uid_validity bigint,
    last_uid bigint not null default 0,
    -- Up to this UID, mails that came before this time are history: their server numbered them anew.
    since timestamptz(3),
    history_uid bigint not null default 0,
    seen_at timestamptz(3),
    holder uuid,
    held_until timestamptz(3),
    primary key (sub_account_id, id),
    constraint mailboxes_channel_fkey foreign key (sub_account_id, id)
      references channels (sub_account_id, id) on delete cascade
  )`,
  `create index mailboxes_by_holder on mailboxes (holder) where holder is not null`,
]);
