import type { Section } from '#kit/section.ts';
import { customValuesSection } from '../accounts/custom-values.section.ts';
import { subAccountSection } from '../accounts/sub-account.section.ts';
import { teamSection } from '../accounts/team.section.ts';
import { customFieldsSection } from '../contacts/custom-fields.section.ts';
import { channelsSection } from '../conversations/channels.section.ts';
import { pipelinesSection } from '../opportunities/pipelines.section.ts';

/** Every section of the manifest: each may refer to those above it, removals go from the bottom. */
export const sections: readonly Section[] = [
  subAccountSection,
  teamSection,
  customFieldsSection,
  customValuesSection,
  channelsSection,
  pipelinesSection,
];
