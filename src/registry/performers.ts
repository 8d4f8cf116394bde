import type { Performer } from '#kit/job.ts';
import { performHold } from '../booking/holds/perform-hold.ts';
import { performConfirmation } from '../booking/perform-confirmation.ts';
import { performReminder } from '../booking/perform-reminder.ts';
import { performPlanReminders } from '../booking/plan-reminders.ts';
import { performMailCampaigns } from '../campaigns/perform-mail-campaigns.ts';
import { performMailPerson } from '../conversations/perform-mail-person.ts';
import { performNotifyAdmins } from '../conversations/perform-notify-admins.ts';
import {
  performAskAllExternal,
  performAskExternal,
} from '../calendars/external/perform-ask-external.ts';
import {
  performAskAllUnderway,
  performAskUnderway,
} from '../conversations/perform-ask-underway.ts';
import { performSendMessage } from '../conversations/perform-send-message.ts';
import { performHousekeeping } from '../operations/housekeeping.ts';
import { performRemindOfTask } from '../tasks/perform-remind-of-task.ts';
import { performDeliverWebhooks } from '../webhooks/deliver-webhooks.ts';
import { performAdvanceRun } from '../workflows/perform-advance-run.ts';
import { performReadEvents } from '../workflows/read-events.ts';

/** Everything that the worker can do. */
export const performers: readonly Performer[] = [
  performHousekeeping,
  performNotifyAdmins,
  performMailPerson,
  performDeliverWebhooks,
  performSendMessage,
  performAskUnderway,
  performAskAllUnderway,
  performRemindOfTask,
  performConfirmation,
  performReminder,
  performPlanReminders,
  performAskExternal,
  performAskAllExternal,
  performHold,
  performMailCampaigns,
  performAdvanceRun,
  performReadEvents,
];
