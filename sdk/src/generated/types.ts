// Written by `node sdk/generate.ts` from the declarations in src/.

export type {
  Appointment,
  CancelledAppointment,
  AppointmentsListQuery,
  AppointmentsCreateBody,
  AppointmentsUpdateBody,
  AppointmentsRescheduleBody,
  AppointmentsCancelQuery,
} from './appointments.ts';
export type {
  ServiceType,
  Estimate,
  CustomerAppointment,
  ActionableAppointment,
  CancelledCustomerAppointment,
  RescheduledCustomerAppointment,
  BookingServiceTypesQuery,
  BookingServiceTypesMeta,
  BookingEstimatesQuery,
  BookingEstimatesMeta,
  BookingHistoryBody,
  BookingHistoryMeta,
  BookingActionableBody,
  BookingActionableMeta,
  BookingCancelBody,
  BookingRescheduleBody,
} from './booking.ts';
export type {
  Calendar,
  BookableMember,
  AppointmentType,
  CalendarsTypesQuery,
  CalendarsAvailabilityQuery,
  CalendarsAvailabilityMeta,
} from './calendars.ts';
export type { Campaign, CampaignsCreateBody, CampaignsScheduleBody } from './campaigns.ts';
export type {
  ChatConfig,
  ChatSession,
  ChatMessage,
  ChatConfigQuery,
  ChatSessionBody,
  ChatMessageBody,
  ChatTypingBody,
  ChatTypingData,
  ChatSeenBody,
  ChatSeenData,
  ChatMessagesQuery,
  ChatMessagesMeta,
} from './chat.ts';
export type {
  DoNotDisturb,
  LifecycleStage,
  Contact,
  CustomField,
  ContactsListQuery,
  ContactsCreateBody,
  ContactsUpsertBody,
  ContactsUpsertMeta,
  ContactsUpdateBody,
  ContactsBotUpdateBody,
  ContactsMergeBody,
} from './contacts.ts';
export type {
  ConversationStatus,
  MessageStatus,
  Conversation,
  OpenedConversation,
  Message,
  SkippedMessage,
  ConversationsCreateBody,
  ConversationsListQuery,
  ConversationsMessagesQuery,
  ConversationsSendBody,
  ConversationsUpdateBody,
} from './conversations.ts';
export type { FeedMeta, EventsListQuery } from './events.ts';
export type {
  FormConfig,
  CaptchaChallenge,
  FormSubmission,
  FormsConfigQuery,
  FormsCaptchaQuery,
  FormsSubmitBody,
} from './forms.ts';
export type { ApiKey } from './me.ts';
export type {
  Opportunity,
  OpportunitiesListQuery,
  OpportunitiesCreateBody,
  OpportunitiesUpdateBody,
  OpportunitiesMoveBody,
  OpportunitiesSetStatusBody,
} from './opportunities.ts';
export type { Pipeline, PipelineSummary } from './pipelines.ts';
export type {
  BookingConfig,
  BookedAppointment,
  PublicBookingConfigQuery,
  PublicBookingAvailabilityQuery,
  PublicBookingAvailabilityMeta,
  PublicBookingCreateBody,
} from './public-booking.ts';
export type { SubAccount } from './sub-accounts.ts';
export type { Submission, SubmissionsListQuery } from './submissions.ts';
export type { Task, TasksListQuery, TasksCreateBody, TasksUpdateBody } from './tasks.ts';
export type { TeamMember } from './team.ts';
export type { WaitingPlace, WaitingListQuery } from './waiting.ts';
export type {
  Webhook,
  CreatedWebhook,
  NewSecret,
  WebhookDelivery,
  SubscribedEvent,
  WebhooksListQuery,
  WebhooksCreateBody,
  WebhooksUpdateBody,
  WebhooksRegenerateSecretBody,
  WebhooksDeliveriesQuery,
} from './webhooks.ts';

export type { ContactEvents } from './contact-events.ts';
export type { MessageEvents } from './message-events.ts';
export type { AppointmentEvents } from './appointment-events.ts';
export type { OpportunityEvents } from './opportunity-events.ts';
export type { FormEvents } from './form-events.ts';
export type { InvoiceEvents } from './invoice-events.ts';
export type { TaskEvents } from './task-events.ts';
export type { CommonFields, EventFields, EventName } from './event-fields.ts';
export type { ApiErrorCode } from './error-code.ts';
export type {
  Channel,
  AppointmentStatus,
  OpportunityStatus,
  TaskStatus,
  TaskPriority,
  PageMeta,
  CursorMeta,
  Deleted,
  Slot,
  ReceivedMessage,
  RecordedInvoice,
  WorkflowSignalResult,
} from './shared.ts';
