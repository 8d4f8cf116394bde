import type { Command } from '#core/command.ts';
import { appointmentCommands } from './appointment.ts';
import { auditCommands } from './audit.ts';
import { calendarExternalCommands } from './calendar-external.ts';
import { calendarFeedCommands } from './calendar-feed.ts';
import { calendarCommands } from './calendar.ts';
import { campaignCommands } from './campaign.ts';
import { contactCommands } from './contact.ts';
import { deliveryCommands } from './delivery.ts';
import { formCommands } from './form.ts';
import { invoiceCommands } from './invoice.ts';
import { keyCommands } from './key.ts';
import { listCommands } from './list.ts';
import { manifestCommands } from './manifest.ts';
import { opportunityCommands } from './opportunity.ts';
import { outboxCommands } from './outbox.ts';
import { queueCommands } from './queue.ts';
import { releaseCommands } from './release.ts';
import { secretCommands } from './secret.ts';
import { subAccountMoveCommands } from './sub-account-move.ts';
import { subAccountCommands } from './sub-account.ts';
import { suppressionCommands } from './suppression.ts';
import { webhookCommands } from './webhook.ts';
import { workflowCommands } from './workflow.ts';

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
