import { defineMigration } from '#platform/database/migrate/migration.ts';

export const unsubscribedRecipients = defineMigration('20261130170000_unsubscribed_recipients', [
  // When a recipient unsubscribed by the link in the mail; null again once they subscribe by it.
  'alter table campaign_recipients add column unsubscribed_at timestamptz(3)',
]);
