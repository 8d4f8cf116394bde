import type { JobHandler } from '#core/job.ts';
import { handleSyncAppointment } from '../booking/calendar-sync/sync-appointment.ts';
import { handleConfirmation, handleReminder } from '../booking/notices/send-notices.ts';
import { handlePlanReminders } from '../booking/notices/queue-notices.ts';
import { handleConfirmWaiting } from '../booking/waiting/confirm-waiting.ts';
import { handleCheckWaiting, handleOfferWaiting } from '../booking/waiting/offer-waiting.ts';
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
import { handleScoreContacts } from '../contacts/engagement/score-contacts.ts';
import { handleOpenSnoozed } from '../conversations/threads/open-snoozed.ts';
import { handleFetchFile } from '../conversations/inbound/fetch-file.ts';
import { handleSendMessage } from '../conversations/messages/send-message.ts';
import { handleRemoveFiles } from '../files/files.jobs.ts';
import { handleEraseAgain } from '../privacy/erase-again.ts';
import { handleEraseMentions } from '../privacy/run-erasing-mentions.ts';
import { handleHousekeeping } from '../operations/housekeeping.ts';
import { handleChangeContacts } from '../console/contacts/run-bulk-change.ts';
import { handleImportContacts } from '../console/imports/run-import.ts';
import { handleTaskReminder } from '../tasks/remind-of-task.ts';
import { handleRunApproval } from '../agents/approvals/run-approved.ts';
import { handleMailInvitation, handleMailLink } from '../accounts/sign-in/sign-in-mails.jobs.ts';
import { handleDeliverWebhooks } from '../webhooks/deliveries/deliver-webhooks.ts';
import { handleEndLongWaits } from '../webhooks/deliveries/end-long-waits.ts';
import { handleCloseDeliveries } from '../webhooks/subscriptions/close-deliveries.ts';
import { handleAdvanceRun } from '../workflows/runs/advance-run.ts';
import { handleReadEvents } from '../workflows/triggers/read-events.ts';
import { agentCatalogue } from './agents.ts';

/** The handlers of all jobs. */
export const jobHandlers: readonly JobHandler[] = [
  handleHousekeeping,
  handleRemoveFiles,
  handleEraseAgain,
  handleEraseMentions,
  handleNotifyAdmins,
  handleMailPerson,
  handleMailInvitation,
  handleMailLink,
  handleDeliverWebhooks,
  handleCloseDeliveries,
  handleEndLongWaits,
  handleSendMessage,
  handleFetchFile,
  handleFetchStatuses,
  handleFetchAllStatuses,
  handleOpenSnoozed,
  handleTaskReminder,
  handleConfirmation,
  handleReminder,
  handlePlanReminders,
  handleOfferWaiting,
  handleConfirmWaiting,
  handleCheckWaiting,
  handleFetchExternal,
  handleFetchAllExternal,
  handleSyncAppointment,
  handleScoreContacts,
  handleDispatchCampaigns,
  handleMailCampaigns,
  handleAdvanceRun,
  handleReadEvents,
  handleRunApproval(() => agentCatalogue().callable),
  handleImportContacts,
  handleChangeContacts,
];
