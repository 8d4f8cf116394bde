import type { Section } from '#core/section.ts';
import { customValuesSection } from '../accounts/sub-accounts/custom-values.section.ts';
import { languagesSection } from '../accounts/sub-accounts/languages.section.ts';
import { subAccountSection } from '../accounts/sub-accounts/sub-account.section.ts';
import { teamSection } from '../accounts/team/team.section.ts';
import { preferencesTexts } from '../campaigns/pages/messages.ts';
import { listsSection } from '../campaigns/lists/lists.section.ts';
import { recurringCampaignsSection } from '../campaigns/recurring/recurring-campaigns.section.ts';
import { templatesSection } from '../campaigns/compose/templates.section.ts';
import { calendarsSection } from '../calendars/calendars.section.ts';
import { bookingTexts } from '../booking/pages/layout.ts';
import { chatTexts } from '../chat/chat-texts.ts';
import { chatSection } from '../chat/chat.section.ts';
import { estimatesSection } from '../catalog/estimates.section.ts';
import { serviceTypesSection } from '../catalog/service-types.section.ts';
import { customFieldsSection } from '../contacts/fields/custom-fields.section.ts';
import { channelsSection } from '../conversations/channels/channels.section.ts';
import { repliesSection } from '../conversations/replies/replies.section.ts';
import { formTexts } from '../forms/pages/layout.ts';
import { formsSection } from '../forms/forms.section.ts';
import { invoicesSection } from '../invoices/invoices.section.ts';
import { pipelinesSection } from '../opportunities/pipelines/pipelines.section.ts';
import { workflowsSection } from '../workflows/definition/workflows.section.ts';
import { events } from './events.ts';

/** All manifest sections. Each may refer to sections before it; entries are removed in reverse order. */
export const sections: readonly Section[] = [
  subAccountSection,
  teamSection,
  customFieldsSection,
  customValuesSection,
  languagesSection({
    booking: bookingTexts,
    forms: formTexts,
    preferences: preferencesTexts,
    chat: chatTexts,
  }),
  channelsSection,
  chatSection,
  repliesSection,
  calendarsSection,
  pipelinesSection,
  listsSection,
  templatesSection,
  recurringCampaignsSection,
  serviceTypesSection,
  estimatesSection,
  formsSection,
  invoicesSection,
  workflowsSection(events),
];
