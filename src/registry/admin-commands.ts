import type { Command } from '#core/command.ts';
import { appointmentCommands } from '../commands/admin/appointment.ts';
import { auditCommands } from '../commands/admin/audit.ts';
import { calendarExternalCommands } from '../commands/admin/calendar-external.ts';
import { calendarFeedCommands } from '../commands/admin/calendar-feed.ts';
import { calendarCommands } from '../commands/admin/calendar.ts';
import { campaignCommands } from '../commands/admin/campaign.ts';
import { contactCommands } from '../commands/admin/contact.ts';
import { deliveryCommands } from '../commands/admin/delivery.ts';
import { formCommands } from '../commands/admin/form.ts';
import { invoiceCommands } from '../commands/admin/invoice.ts';
import { keyCommands } from '../commands/admin/key.ts';
import { listCommands } from '../commands/admin/list.ts';
import { manifestCommands } from '../commands/admin/manifest.ts';
import { opportunityCommands } from '../commands/admin/opportunity.ts';
import { outboxCommands } from '../commands/admin/outbox.ts';
import { queueCommands } from '../commands/admin/queue.ts';
import { releaseCommands } from '../commands/admin/release.ts';
import { secretCommands } from '../commands/admin/secret.ts';
import { subAccountMoveCommands } from '../commands/admin/sub-account-move.ts';
import { subAccountCommands } from '../commands/admin/sub-account.ts';
import { suppressionCommands } from '../commands/admin/suppression.ts';
import { webhookCommands } from '../commands/admin/webhook.ts';
import { workflowCommands } from '../commands/admin/workflow.ts';

/** Every command of `frontdesk admin`. */
export const adminCommands: readonly Command[] = [
  ...subAccountCommands,
  ...subAccountMoveCommands,
  ...keyCommands,
  ...auditCommands,
  ...manifestCommands,
  ...calendarCommands,
  ...calendarFeedCommands,
  ...calendarExternalCommands,
  ...appointmentCommands,
  ...contactCommands,
  ...suppressionCommands,
  ...listCommands,
  ...campaignCommands,
  ...opportunityCommands,
  ...formCommands,
  ...invoiceCommands,
  ...outboxCommands,
  ...webhookCommands,
  ...deliveryCommands,
  ...secretCommands,
  ...queueCommands,
  ...releaseCommands,
  ...workflowCommands,
];
