import type { NamedMigration } from '#platform/migration.ts';
import { accounts } from '../../migrations/20261121010000_accounts.ts';
import { eventsAndAudit } from '../../migrations/20261121020000_events_and_audit.ts';
import { requests } from '../../migrations/20261121030000_requests.ts';
import { contacts } from '../../migrations/20261121040000_contacts.ts';

/** Every step of the schema, oldest first. */
export const migrations: readonly NamedMigration[] = [accounts, eventsAndAudit, requests, contacts];
