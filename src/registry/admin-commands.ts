import type { Command } from '#kit/command.ts';
import { auditCommands } from '../commands/admin/audit.ts';
import { contactCommands } from '../commands/admin/contact.ts';
import { deliveryCommands } from '../commands/admin/delivery.ts';
import { keyCommands } from '../commands/admin/key.ts';
import { manifestCommands } from '../commands/admin/manifest.ts';
import { opportunityCommands } from '../commands/admin/opportunity.ts';
import { outboxCommands } from '../commands/admin/outbox.ts';
import { queueCommands } from '../commands/admin/queue.ts';
import { secretCommands } from '../commands/admin/secret.ts';
import { subAccountCommands } from '../commands/admin/sub-account.ts';
import { suppressionCommands } from '../commands/admin/suppression.ts';
import { webhookCommands } from '../commands/admin/webhook.ts';

/** Every command of `frontdesk admin`. */
export const adminCommands: readonly Command[] = [
  ...subAccountCommands,
  ...keyCommands,
  ...auditCommands,
  ...manifestCommands,
  ...contactCommands,
  ...suppressionCommands,
  ...opportunityCommands,
  ...outboxCommands,
  ...webhookCommands,
  ...deliveryCommands,
  ...secretCommands,
  ...queueCommands,
];
