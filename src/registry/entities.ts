import { ApiKey } from '../accounts/api-key.entity.ts';
import { SubAccount } from '../accounts/sub-account.entity.ts';
import { TeamMember } from '../accounts/team-member.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { CustomField } from '../contacts/custom-field.entity.ts';
import { OptOut } from '../contacts/opt-out.entity.ts';
import { Conversation } from '../conversations/conversation.entity.ts';
import { Opportunity } from '../opportunities/opportunity.entity.ts';
import { PipelineStage } from '../opportunities/pipeline-stage.entity.ts';
import { Pipeline } from '../opportunities/pipeline.entity.ts';
import { Task } from '../tasks/task.entity.ts';
import { Subscription } from '../webhooks/subscription.entity.ts';

export const entities = [
  Contact,
  SubAccount,
  ApiKey,
  TeamMember,
  OptOut,
  CustomField,
  Conversation,
  Pipeline,
  PipelineStage,
  Opportunity,
  Task,
  Subscription,
];
