import { defineMigration } from '#platform/database/migrate/migration.ts';

export const automaticReplies = defineMigration('20261130180000_automatic_replies', [
  // Automatic messages of workflows that an inbound message started: mails with `Auto-Submitted`.
  'alter table messages add is_auto_reply boolean not null default false',
  // Addresses with a tag (`local+tag@domain`), by the address without it.
  `create index contact_emails_tagged on contact_emails
     (sub_account_id, regexp_replace(email, '^([^+@]+)[+][^@]*@', '\\1@'))
   where email like '%+%'`,
]);
