import { ProcessSample } from '../operations/samples/process-sample.entity.ts';
import { ContactBulkChange } from '../console/contacts/contact-bulk-change.entity.ts';
import { ContactView } from '../console/contacts/contact-view.entity.ts';
import {
  ContactImport,
  ContactImportCheckpoint,
  ContactImportPart,
} from '../console/imports/contact-import.entity.ts';
import { Installation } from '#platform/config/installation.entity.ts';
import { RowCount } from '#platform/database/row-count.entity.ts';
import { AuditEntry } from '#platform/database/work/audit-entry.entity.ts';
import { OutboxEvent } from '#platform/database/work/outbox-event.entity.ts';
import { IdempotencyKey } from '#platform/http/call/idempotency-key.entity.ts';
import { PublishedEvent } from '#platform/notify/published-event.entity.ts';
import { RunningProcess } from '#platform/process/running-process.entity.ts';
import { ScheduleTick } from '#platform/queue/schedule-tick.entity.ts';
import { WorkerPause } from '#platform/queue/worker-pause.entity.ts';
import { RateWindow } from '#platform/rate-limit/stores/rate-window.entity.ts';
import { Approval } from '../agents/approvals/approval.entity.ts';
import { AgentCall } from '../agents/calls/agent-call.entity.ts';
import { OauthGrant } from '../accounts/grants/oauth-grant.entity.ts';
import { RefreshToken } from '../accounts/grants/refresh-token.entity.ts';
import { ApiKey } from '../accounts/keys/api-key.entity.ts';
import { SubAccount } from '../accounts/sub-accounts/sub-account.entity.ts';
import { TeamMember } from '../accounts/team/team-member.entity.ts';
import { Membership } from '../accounts/users/membership.entity.ts';
import { Passkey } from '../accounts/sign-in/passkey.entity.ts';
import { SignInLink } from '../accounts/sign-in/sign-in-link.entity.ts';
import { UserSession } from '../accounts/sign-in/user-session.entity.ts';
import { UserPicture } from '../accounts/users/user-picture.entity.ts';
import { User } from '../accounts/users/user.entity.ts';
import { ManifestReference } from '../manifest/manifest-reference.entity.ts';
import { ErasedOptOut } from '../contacts/consent/erased-opt-out.entity.ts';
import { OptOut } from '../contacts/consent/opt-out.entity.ts';
import { EngagementMark } from '../contacts/engagement/engagement-mark.entity.ts';
import { EngagementScore } from '../contacts/engagement/engagement-score.entity.ts';
import { ContactEmail } from '../contacts/contact-email.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { CustomField } from '../contacts/fields/custom-field.entity.ts';
import { AdminNotice } from '../conversations/admin-notice.entity.ts';
import { ConfiguredChannel } from '../conversations/channels/configured-channel.entity.ts';
import { MailboxPosition } from '../conversations/mailbox/mailbox-position.entity.ts';
import { MessageReceipt } from '../conversations/messages/message-receipt.entity.ts';
import { Message } from '../conversations/messages/message.entity.ts';
import { Presence } from '../conversations/presence/presence.entity.ts';
import { Change } from '../console/changes/change.entity.ts';
import { Draft } from '../conversations/inbox/draft.entity.ts';
import { SavedReply } from '../conversations/replies/saved-reply.entity.ts';
import { Conversation } from '../conversations/threads/conversation.entity.ts';
import { ChatSession } from '../chat/chat-session.entity.ts';
import { StoredChatSettings } from '../chat/stored-chat-settings.entity.ts';
import { AppointmentType } from '../calendars/appointment-type.entity.ts';
import { CalendarMember } from '../calendars/calendar-member.entity.ts';
import { Calendar } from '../calendars/calendar.entity.ts';
import { ExternalBusy } from '../calendars/external/external-busy.entity.ts';
import { AppointmentBlock } from '../booking/appointments/appointment-block.entity.ts';
import { Appointment } from '../booking/appointments/appointment.entity.ts';
import { SyncedAppointment } from '../booking/calendar-sync/synced-appointment.entity.ts';
import { CalendarFeed } from '../booking/feeds/calendar-feed.entity.ts';
import { WaitingEntry } from '../booking/waiting/waiting-entry.entity.ts';
import { WaitingOffer } from '../booking/waiting/waiting-offer.entity.ts';
import { AppointmentNotice } from '../booking/notices/appointment-notice.entity.ts';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { RecurringCampaign } from '../campaigns/recurring/recurring-campaign.entity.ts';
import { MailTemplate } from '../campaigns/compose/mail-template.entity.ts';
import { CampaignRecipient } from '../campaigns/delivery/campaign-recipient.entity.ts';
import { MailingLeaseRow } from '../campaigns/delivery/mailing-lease-row.entity.ts';
import { ListMember } from '../campaigns/lists/list-member.entity.ts';
import { List } from '../campaigns/lists/list.entity.ts';
import { Estimate } from '../catalog/estimate.entity.ts';
import { ServiceType } from '../catalog/service-type.entity.ts';
import { SpentChallenge } from '../forms/spent-challenge.entity.ts';
import { FormSubmission } from '../forms/submissions/form-submission.entity.ts';
import { Form } from '../forms/form.entity.ts';
import { FileDeletion } from '../files/file-deletion.entity.ts';
import { StoredFile } from '../files/stored-file.entity.ts';
import { InvoiceSettings } from '../invoices/invoice-settings.entity.ts';
import { PaidInvoice } from '../invoices/paid-invoice.entity.ts';
import { Opportunity } from '../opportunities/opportunity.entity.ts';
import { PipelineStage } from '../opportunities/pipelines/pipeline-stage.entity.ts';
import { Pipeline } from '../opportunities/pipelines/pipeline.entity.ts';
import { Task } from '../tasks/task.entity.ts';
import { Delivery } from '../webhooks/deliveries/delivery.entity.ts';
import { Subscription } from '../webhooks/subscriptions/subscription.entity.ts';
import { WorkflowVersion } from '../workflows/definition/workflow-version.entity.ts';
import { Workflow } from '../workflows/definition/workflow.entity.ts';
import { WorkflowEffect } from '../workflows/runs/workflow-effect.entity.ts';
import { WorkflowLogEntry } from '../workflows/runs/workflow-log-entry.entity.ts';
import { WorkflowRun } from '../workflows/runs/workflow-run.entity.ts';
import { WorkflowSignal } from '../workflows/runs/workflow-signal.entity.ts';
import { WorkflowCall } from '../workflows/triggers/workflow-call.entity.ts';
import { WorkflowReader } from '../workflows/triggers/workflow-reader.entity.ts';

/**
 * One entity per table. A test compares them with the migrated database. Foreign keys are listed as
 * `foreignKeys`, in PostgreSQL's words: MikroORM refuses relations to a composite primary key beside
 * a property for the id, and every reference shares the column `sub_account_id` with the key.
 */
export const entities = [
  Installation,
  RowCount,
  AuditEntry,
  OutboxEvent,
  IdempotencyKey,
  PublishedEvent,
  RunningProcess,
  WorkerPause,
  ScheduleTick,
  RateWindow,
  ApiKey,
  SubAccount,
  TeamMember,
  User,
  UserPicture,
  Membership,
  SignInLink,
  UserSession,
  Passkey,
  OauthGrant,
  RefreshToken,
  ManifestReference,
  OptOut,
  ErasedOptOut,
  ContactEmail,
  EngagementMark,
  EngagementScore,
  Contact,
  CustomField,
  AdminNotice,
  ConfiguredChannel,
  MailboxPosition,
  MessageReceipt,
  Message,
  Conversation,
  Draft,
  Change,
  Presence,
  SavedReply,
  ChatSession,
  StoredFile,
  FileDeletion,
  StoredChatSettings,
  AppointmentType,
  CalendarMember,
  Calendar,
  ExternalBusy,
  AppointmentBlock,
  Appointment,
  SyncedAppointment,
  CalendarFeed,
  AppointmentNotice,
  WaitingEntry,
  WaitingOffer,
  Campaign,
  RecurringCampaign,
  MailTemplate,
  CampaignRecipient,
  MailingLeaseRow,
  ListMember,
  List,
  Estimate,
  ServiceType,
  SpentChallenge,
  FormSubmission,
  Form,
  InvoiceSettings,
  PaidInvoice,
  Opportunity,
  PipelineStage,
  Pipeline,
  Task,
  Delivery,
  Subscription,
  WorkflowVersion,
  Workflow,
  WorkflowEffect,
  WorkflowLogEntry,
  WorkflowRun,
  WorkflowSignal,
  WorkflowCall,
  WorkflowReader,
  AgentCall,
  Approval,
  ContactImport,
  ContactImportPart,
  ContactImportCheckpoint,
  ContactView,
  ContactBulkChange,
  ProcessSample,
];
