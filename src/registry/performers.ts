import type { Performer } from '#kit/job.ts';
import { performNotifyAdmins } from '../accounts/perform-notify-admins.ts';
import { performSendMessage } from '../conversations/perform-send-message.ts';
import { performHousekeeping } from '../operations/housekeeping.ts';
import { performDeliverWebhooks } from '../webhooks/deliver-webhooks.ts';

/** Everything that the worker can do. */
export const performers: readonly Performer[] = [
  performHousekeeping,
  performNotifyAdmins,
  performDeliverWebhooks,
  performSendMessage,
];
