import type { enAgency } from './en/agency.ts';
import type { enAuthorize } from './en/authorize.ts';
import type { enAutomation } from './en/automation.ts';
import type { enCalendar } from './en/calendar.ts';
import type { enCampaigns } from './en/campaigns.ts';
import type { enChannels } from './en/channels.ts';
import type { enConflicts } from './en/conflicts.ts';
import type { enCommon } from './en/common.ts';
import type { enContactPages } from './en/contact-pages.ts';
import type { enEvents } from './en/events.ts';
import type { enForms } from './en/forms.ts';
import type { enHooks } from './en/hooks.ts';
import type { enInbox } from './en/inbox.ts';
import type { enIssues } from './en/issues.ts';
import type { enOwner } from './en/owner.ts';
import type { enPeople } from './en/people.ts';
import type { enRecords } from './en/records.ts';
import type { enSectionForms } from './en/section-forms.ts';
import type { enSettings } from './en/settings.ts';
import type { enSetup } from './en/setup.ts';
import type { enShell } from './en/shell.ts';
import type { enStepUp } from './en/step-up.ts';
import type { enWaiting } from './en/waiting.ts';

/** The same keys with any text: `as const` is not used, so texts are strings already. */
export type CommonMessages = typeof enCommon;
export type ShellMessages = typeof enShell;
export type InboxMessages = typeof enInbox;
export type RecordMessages = typeof enRecords;
export type CalendarMessages = typeof enCalendar;
export type AgencyMessages = typeof enAgency;
export type ContactMessages = typeof enContactPages;
export type EventMessages = typeof enEvents;
export type FormMessages = typeof enForms;
export type IssueMessages = typeof enIssues;
export type OwnerMessages = typeof enOwner;
export type PeopleMessages = typeof enPeople;
export type SectionFormMessages = typeof enSectionForms;
export type SettingsMessages = typeof enSettings;
export type SetupMessages = typeof enSetup;
export type AutomationMessages = typeof enAutomation;
export type ChannelMessages = typeof enChannels;
export type ConflictMessages = typeof enConflicts;
export type CampaignMessages = typeof enCampaigns;
export type AuthorizeMessages = typeof enAuthorize;
export type StepUpMessages = typeof enStepUp;
export type HookMessages = typeof enHooks;
export type WaitingMessages = typeof enWaiting;

/** All texts of the console. A language that lacks one does not compile. */
export type Messages = CommonMessages &
  ShellMessages &
  InboxMessages &
  RecordMessages &
  CalendarMessages &
  AgencyMessages &
  ContactMessages &
  FormMessages &
  PeopleMessages &
  SettingsMessages &
  SetupMessages &
  AutomationMessages &
  AuthorizeMessages;
