import type { Work } from '#core/work.ts';
import { lockerOf } from '#platform/database/lock-live.ts';
import { Opportunity } from './opportunity.entity.ts';

/** A live one stands in a stage always (constraint `opportunities_live_in_a_stage`). */
export type LiveOpportunity = Opportunity & {
  readonly pipelineId: string;
  stageId: string;
};

const lock = lockerOf<Opportunity>('opportunity', Opportunity);

export const lockOpportunity = async (work: Work, id: string): Promise<LiveOpportunity> =>
  (await lock(work, id)) as LiveOpportunity;
