import type { JobHandler } from '#core/job.ts';
import { handleSyncAppointment } from '../booking/calendar-sync/sync-appointment.ts';
import { handleConfirmation, handleReminder } from '../booking/notices/send-notices.ts';
import { handlePlanReminders } from '../booking/notices/queue-notices.ts';
import { handleDispatchCampaigns } from '../campaigns/dispatch-campaigns.ts';
import { handleMailCampaigns } from '../campaigns/delivery/mail-campaigns.ts';
import { handleMailPerson, handleNotifyAdmins } from '../conversations/notify-admins.ts';
import {
  handleFetchAllExternal,
  handleFetchExternal,
} from '../calendars/external/refresh-external.ts';
import {
  handleFetchAllStatuses,
  handleFetchStatuses,
} from '../conversations/messages/fetch-statuses.ts';
import { handleSendMessage } from '../conversations/messages/send-message.ts';
import { handleHousekeeping } from '../operations/housekeeping.ts';
import { handleTaskReminder } from '../tasks/remind-of-task.ts';
import { handleDeliverWebhooks } from '../webhooks/deliveries/deliver-webhooks.ts';
import { handleAdvanceRun } from '../workflows/runs/advance-run.ts';
import { handleReadEvents } from '../workflows/triggers/read-events.ts';

/** The handlers of all jobs. */
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
  handleDispatchCampaigns,
  handleMailCampaigns,
  handleAdvanceRun,
  handleReadEvents,
];
