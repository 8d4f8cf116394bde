// Written by `node sdk/generate.ts` from the declarations in src/.
import type { OpportunityStatus } from './shared.ts';

export interface OpportunityEvents {
  /** Fires when: an opportunity was created. */
  'opportunity.created': {
    opportunityId: string;
    pipelineId: string;
    stageId: string;
    /** the opportunity's name */
    title: string;
    value: number | null;
  };
  /** Fires when: an opportunity's fields or its status changed. */
  'opportunity.updated': {
    opportunityId: string;
    pipelineId: string;
    /** the opportunity's name */
    name: string;
    value: number | null;
    status: OpportunityStatus;
    changedFields: string[];
  };
  /** Fires when: an opportunity moved to another stage of its pipeline. */
  'opportunity.stage_changed': {
    opportunityId: string;
    pipelineId: string;
    fromStageId: string;
    toStageId: string;
    /** the opportunity's name */
    title: string;
  };
  /**
   * Fires when: an opportunity was marked as won by an operator; the API fires
   * `opportunity.updated` instead.
   */
  'opportunity.won': {
    opportunityId: string;
    pipelineId: string;
    /** the opportunity's name */
    title: string;
    value: number | null;
  };
  /**
   * Fires when: an opportunity was marked as lost by an operator; the API fires
   * `opportunity.updated` instead.
   */
  'opportunity.lost': {
    opportunityId: string;
    pipelineId: string;
    /** the opportunity's name */
    title: string;
    value: number | null;
    lostReason: string | null;
  };
  /** Fires when: an opportunity was deleted. */
  'opportunity.deleted': {
    opportunityId: string;
    pipelineId: string;
    /** the opportunity's name */
    name: string;
  };
}
