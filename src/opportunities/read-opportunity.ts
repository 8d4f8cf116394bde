import { answerOf, readerOf } from '#kit/live-records.ts';
import { recordShape } from '#kit/record.ts';
import { opportunityShape } from './opportunity.shape.ts';

/** Opportunity `o` as every endpoint shows it. */
export const opportunityRecord = recordShape(opportunityShape, 'o');

export const liveOpportunities = {
  table: 'opportunities',
  alias: 'o',
  record: opportunityRecord,
} as const;

export const readOpportunity = readerOf('opportunity', liveOpportunities);
export const theOpportunity = answerOf(readOpportunity);
