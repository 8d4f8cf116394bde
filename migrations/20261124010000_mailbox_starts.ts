import { defineMigration } from '#platform/database/migrate/migration.ts';

export const mailboxStarts = defineMigration('20261124010000_mailbox_starts', [
  // The mail that is being read, the worker that began last, and how many workers began and did not
  // end. Mails that were given up are counted.
  `alter table mailboxes
    add reading_uid bigint,
    add reading_by uuid,
    add starts integer not null default 0,
    add skipped integer not null default 0,
    add skipped_at timestamptz(3)`,
]);
