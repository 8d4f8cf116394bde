import { ApiKey } from '../accounts/keys/api-key.entity.ts';
import { SubAccount } from '../accounts/sub-accounts/sub-account.entity.ts';
import { TeamMember } from '../accounts/team/team-member.entity.ts';
import { AppointmentType } from '../calendars/appointment-type.entity.ts';
import { CalendarMember } from '../calendars/calendar-member.entity.ts';
import { Calendar } from '../calendars/calendar.entity.ts';
import { List } from '../campaigns/lists/list.entity.ts';
import { MailTemplate } from '../campaigns/compose/mail-template.entity.ts';
import { Estimate } from '../catalog/estimate.entity.ts';
import { ServiceType } from '../catalog/service-type.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { CustomField } from '../contacts/fields/custom-field.entity.ts';
import { OptOut } from '../contacts/consent/opt-out.entity.ts';
import { Conversation } from '../conversations/threads/conversation.entity.ts';
import { Opportunity } from '../opportunities/opportunity.entity.ts';
import { PipelineStage } from '../opportunities/pipelines/pipeline-stage.entity.ts';
import { Pipeline } from '../opportunities/pipelines/pipeline.entity.ts';
import { Task } from '../tasks/task.entity.ts';
import { Subscription } from '../webhooks/subscriptions/subscription.entity.ts';

export const entities = [
  Contact,
  SubAccount,
  ApiKey,
  TeamMember,
  OptOut,
  CustomField,
  Conversation,
  Calendar,
  CalendarMember,
  AppointmentType,
  ServiceType,
  Estimate,
  Pipeline,
  PipelineStage,
  Opportunity,
  Task,
  Subscription,
  List,
  MailTemplate,
];
