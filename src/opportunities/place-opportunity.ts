import { invalid, type Issue } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

interface PlaceOpportunityInput {
  readonly contactId: string;
  readonly pipelineId: string;
  readonly stageId?: string | undefined;
}

interface PlaceOpportunityRow {
  readonly hasContact: boolean;
  readonly hasPipeline: boolean;
  readonly stageId: string | null;
  readonly currency: string;
}

/** Where a new opportunity goes, and the currency it has there unless it names its own. */
export interface Place {
  readonly stageId: string;
  readonly currency: string;
}

/**
 * Finds the stage, the pipeline's first unless one is named, and holds the contact against merging
 * and deletion. What of them this sub-account does not have is refused, all of it at once.
 */
export async function placeOpportunity(
  work: Work,
  { contactId, pipelineId, stageId }: PlaceOpportunityInput,
): Promise<Place> {
  const [found] = await work.rows<PlaceOpportunityRow>(PLACE, [
    work.subAccountId,
    contactId,
    pipelineId,
    stageId ?? null,
  ]);
  if (found?.hasContact && found.stageId) {
    return { stageId: found.stageId, currency: found.currency };
  }
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ in: 'body', path, message });
  if (!found?.hasContact) {
    refuse('/contactId', 'is not a contact of this sub-account');
  }
  if (!found?.hasPipeline) {
    refuse('/pipelineId', 'is not a pipeline of this sub-account');
  } else if (!found.stageId && stageId === undefined) {
    refuse('/pipelineId', 'has no stages');
  } else if (!found.stageId) {
    refuse('/stageId', 'is not a stage of that pipeline');
  }
  throw invalid(issues);
}

const PLACE = `select c.id is not null as "hasContact", p.id is not null as "hasPipeline",
    s.id as "stageId", a.currency
  from sub_accounts a
  left join lateral (
    select id from contacts where sub_account_id = a.id and id = $2 and deleted_at is null
    for key share
  ) c on true
  left join pipelines p on p.sub_account_id = a.id and p.id = $3
  left join lateral (
    select id from pipeline_stages
    where sub_account_id = a.id and pipeline_id = p.id and ($4::uuid is null or id = $4)
    order by position, id limit 1
  ) s on true
  where a.id = $1`;
