import type { Scenario } from './scenario.ts';
import { agentTools } from './scenarios/agent-tools.ts';
import { bookHotSlot } from './scenarios/book-hot-slot.ts';
import { campaign } from './scenarios/campaign.ts';
import { coldStart } from './scenarios/cold-start.ts';
import { consoleInbox } from './scenarios/console-inbox.ts';
import { createContact } from './scenarios/create-contact.ts';
import { deadReceiver } from './scenarios/dead-receiver.ts';
import { deliverAfterBurst } from './scenarios/deliver-after-burst.ts';
import { deliverBesideTransaction } from './scenarios/deliver-beside-transaction.ts';
import { deliverWebhooks } from './scenarios/deliver-webhooks.ts';
import { firstAttempt } from './scenarios/first-attempt.ts';
import { firstPaint } from './scenarios/first-paint.ts';
import { getContact } from './scenarios/get-contact.ts';
import { importCsv } from './scenarios/import-csv.ts';
import { listContacts } from './scenarios/list-contacts.ts';
import { chatToConsole, replyToWidget } from './scenarios/live-chat.ts';
import { residentMemory } from './scenarios/resident-memory.ts';
import { searchContacts } from './scenarios/search-contacts.ts';
import { slots } from './scenarios/slots.ts';
import { tenTimesRows } from './scenarios/ten-times-rows.ts';
import { upsertContact } from './scenarios/upsert-contact.ts';

/** Every scenario, in order: writing ones run after reading ones. */
export const scenarios: readonly Scenario[] = [
  coldStart,
  getContact,
  listContacts,
  searchContacts,
  tenTimesRows,
  agentTools,
  slots,
  consoleInbox,
  chatToConsole,
  replyToWidget,
  firstPaint,
  createContact,
  upsertContact,
  bookHotSlot,
  deliverWebhooks,
  deliverAfterBurst,
  deliverBesideTransaction,
  firstAttempt,
  deadReceiver,
  campaign,
  residentMemory,
  importCsv,
];
