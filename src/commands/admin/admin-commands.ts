import type { Command } from '#core/command.ts';
import { appointmentCommands } from './booking/appointment.ts';
import { approvalCommands } from './approval.ts';
import { auditCommands } from './audit.ts';
import { calendarCommands } from './booking/calendar.ts';
import { campaignCommands } from './campaign/campaign.ts';
import { contactCommands } from './contact/contact.ts';
import { conversationCommands, messageCommands } from './contact/conversation.ts';
import { deliveryCommands } from './webhook/delivery.ts';
import { formCommands } from './form.ts';
import { invoiceCommands } from './invoice.ts';
import { keyCommands } from './key/key.ts';
import { listCommands } from './campaign/list.ts';
import { manifestCommands } from './manifest.ts';
import { nodeCommands } from './node.ts';
import { opportunityCommands } from './opportunity.ts';
import { outboxCommands } from './campaign/outbox.ts';
import { personCommands } from './contact/person.ts';
import { queueCommands } from './queue.ts';
import { secretCommands } from './webhook/secret.ts';
import { subAccountMoveCommands } from './sub-account/sub-account-move.ts';
import { subAccountCommands } from './sub-account/sub-account.ts';
import { suppressionCommands } from './campaign/suppression.ts';
import { templateCommands } from './campaign/template.ts';
import { userCommands } from './user.ts';
import { webhookCommands } from './webhook/webhook.ts';
import { whyCommands } from './why.ts';
import { workflowCommands } from './workflow.ts';

/** Every command of `frontdesk admin`. */
export const adminCommands: readonly Command[] = [
  ...subAccountCommands,
  ...subAccountMoveCommands,
  ...keyCommands,
  ...userCommands,
  ...approvalCommands,
  ...auditCommands,
  ...manifestCommands,
  ...calendarCommands,
  ...appointmentCommands,
  ...contactCommands,
  ...personCommands,
  ...conversationCommands,
  ...messageCommands,
  ...suppressionCommands,
  ...listCommands,
  ...campaignCommands,
  ...templateCommands,
  ...opportunityCommands,
  ...formCommands,
  ...invoiceCommands,
  ...outboxCommands,
  ...webhookCommands,
  ...deliveryCommands,
  ...secretCommands,
  ...queueCommands,
  ...nodeCommands,
  ...workflowCommands,
  ...whyCommands,
];
