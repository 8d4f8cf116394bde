import { defineMigration } from '#platform/database/migrate/migration.ts';

export const adminNotices = defineMigration('20261123042000_admin_notices', [
  // Notices to admins whose mails are queued: a job that is run again after a crash queues them no
  // second time.
  `create table admin_notices (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    primary key (sub_account_id, id)
  )`,
]);
