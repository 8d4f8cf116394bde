import { defineMigration } from '#platform/database/migrate/migration.ts';

export const approvedMails = defineMigration('20261128100000_approved_mails', [
  'alter table campaigns add column approved_mails integer',
]);
