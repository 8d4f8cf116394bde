import type { JobHandler } from '#kit/job.ts';
import { handleSyncAppointment } from '../booking/calendar-sync/sync-appointment.ts';
import { handleConfirmation } from '../booking/send-confirmation.ts';
import { handleReminder } from '../booking/send-reminder.ts';
import { handlePlanReminders } from '../booking/plan-reminders.ts';
import { handleMailCampaigns } from '../campaigns/mail-campaigns.ts';
import { handleMailPerson } from '../conversations/mail-person.ts';
import { handleNotifyAdmins } from '../conversations/notify-admins.ts';
import {
  handleFetchAllExternal,
  handleFetchExternal,
} from '../calendars/external/fetch-external.ts';
import { handleFetchAllStatuses, handleFetchStatuses } from '../conversations/fetch-statuses.ts';
import { handleSendMessage } from '../conversations/send-message.ts';
import { handleHousekeeping } from '../operations/housekeeping.ts';
import { handleTaskReminder } from '../tasks/send-reminder.ts';
import { handleDeliverWebhooks } from '../webhooks/deliver-webhooks.ts';
import { handleAdvanceRun } from '../workflows/advance-run.ts';
import { handleReadEvents } from '../workflows/read-events.ts';

/** Everything that the worker can do. */
export const jobHandlers: readonly JobHandler[] = [
  handleHousekeeping,
  handleNotifyAdmins,
  handleMailPerson,
  handleDeliverWebhooks,
  handleSendMessage,
  handleFetchStatuses,
  handleFetchAllStatuses,
  handleTaskReminder,
  handleConfirmation,
  handleReminder,
  handlePlanReminders,
  handleFetchExternal,
  handleFetchAllExternal,
  handleSyncAppointment,
  handleMailCampaigns,
  handleAdvanceRun,
  handleReadEvents,
];
