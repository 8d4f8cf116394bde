import { recordSchema } from '#core/schema/record.ts';
import type { Work } from '#core/work.ts';
import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { lockerOf } from '#platform/database/lock-live.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { Opportunity } from './opportunity.entity.ts';
import { opportunityUpdated } from './opportunity.events.ts';
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

/** A live opportunity always has a stage (constraint `opportunities_live_in_a_stage`). */
export type LiveOpportunity = Opportunity & {
  readonly pipelineId: string;
  stageId: string;
};

const lock = lockerOf<Opportunity>('opportunity', Opportunity);

/** Returns the live opportunity, locked against every other writer. Throws `NOT_FOUND`. */
export const lockOpportunity = async (work: Work, id: string): Promise<LiveOpportunity> =>
  (await lock(work, id)) as LiveOpportunity;

/** Completes the update of a locked opportunity: its date, the audit row and the event. */
export async function recordUpdate(
  work: Work,
  opportunity: LiveOpportunity,
  changedFields: readonly string[],
): Promise<void> {
  const { id, contactId, pipelineId, name, value = null, status } = opportunity;
  opportunity.updatedAt = work.now;
  work.audit(id);
  await work.emit(opportunityUpdated, {
    ...(await aboutContact(work, contactId)),
    data: { opportunityId: id, pipelineId, name, value, status, changedFields: [...changedFields] },
  });
}
