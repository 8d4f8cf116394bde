import { defineMigration } from '#platform/database/migrate/migration.ts';

// Each deletion of a contact or an opportunity looks for rows that refer to it, deleted ones included.
export const referenceIndexes = defineMigration('20261129210000_reference_indexes', [
  `create index contact_emails_of_contact on contact_emails (sub_account_id, contact_id)`,
  `create index campaign_recipients_of_contact on campaign_recipients (sub_account_id, contact_id)`,
  `drop index opportunities_by_contact`,
  `create index opportunities_by_contact on opportunities (sub_account_id, contact_id, id)`,
  `drop index tasks_by_contact`,
  `create index tasks_by_contact on tasks (sub_account_id, contact_id, id)
   where contact_id is not null`,
  `drop index tasks_by_deal`,
  `create index tasks_by_deal on tasks (sub_account_id, deal_id, id) where deal_id is not null`,
  `drop index conversations_by_contact`,
  `create index conversations_by_contact on conversations (sub_account_id, contact_id, id)`,
]);
