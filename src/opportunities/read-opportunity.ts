import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { opportunitySchema } from './opportunity.schema.ts';

/** Opportunity `o` as every endpoint shows it. */
export const opportunityRecord = recordSchema(opportunitySchema, 'o');

export const liveOpportunities = {
  table: 'opportunities',
  alias: 'o',
  record: opportunityRecord,
} as const;

export const readOpportunity = readerOf('opportunity', liveOpportunities);
export const theOpportunity = answerOf(readOpportunity);
