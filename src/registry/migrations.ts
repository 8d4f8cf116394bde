import type { NamedMigration } from '#platform/migration.ts';
import { accounts } from '../../migrations/20261121010000_accounts.ts';
import { eventsAndAudit } from '../../migrations/20261121020000_events_and_audit.ts';
import { requests } from '../../migrations/20261121030000_requests.ts';
import { contacts } from '../../migrations/20261121040000_contacts.ts';
import { webhooks } from '../../migrations/20261121050000_webhooks.ts';
import { opportunities } from '../../migrations/20261121060000_opportunities.ts';
import { tasks } from '../../migrations/20261121070000_tasks.ts';
import { conversations } from '../../migrations/20261121080000_conversations.ts';
import { receipts } from '../../migrations/20261121090000_receipts.ts';

/** Every step of the schema, oldest first. */
export const migrations: readonly NamedMigration[] = [
  accounts,
  eventsAndAudit,
  requests,
  contacts,
  webhooks,
  opportunities,
  tasks,
  conversations,
  receipts,
];
