import { LockMode } from '@mikro-orm/core';
import { notFound } from '#kit/fault.ts';
import type { Work } from '#kit/work.ts';
import { Opportunity } from './opportunity.entity.ts';

/** A live one stands in a stage always (constraint `opportunities_live_in_a_stage`). */
export type LiveOpportunity = Opportunity & {
  readonly pipelineId: string;
  stageId: string;
};

/** The live opportunity, held against other writers until this work is done. */
export async function lockOpportunity(
  { em, subAccountId }: Work,
  id: string,
): Promise<LiveOpportunity> {
  const opportunity = await em.findOne(
    Opportunity,
    { subAccountId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!opportunity) {
    throw notFound('opportunity');
  }
  return opportunity as LiveOpportunity;
}
