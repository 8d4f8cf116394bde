import { mergedSubject } from '#lib/merge-fields.ts';
import type { Work } from '#core/work.ts';
import { createOpportunity } from '../../opportunities/create-opportunity.ts';
import { moveOpportunity } from '../../opportunities/move-opportunity.ts';
import { type LockedRun, refusal, type Done } from '../runs/run.store.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { valuesOf } from './merge-values.ts';

const NAME_MAX = 255;

export async function createDeal(
  work: Work,
  locked: LockedRun,
  { pipeline, stage, name, value }: NonNullable<Step['createOpportunity']>,
): Promise<Done> {
  const { pipelineId, stageId } = await findStage(work, pipeline, stage);
  const merged = mergedSubject(name, await valuesOf(work, locked));
  const { id } = await createOpportunity(work, {
    name: merged.slice(0, NAME_MAX).trim() || pipeline,
    pipelineId,
    contactId: locked.run.contactId ?? '',
    ...(stageId !== null && { stageId }),
    ...(value !== undefined && { value }),
  });
  return { outcome: 'done', detail: id };
}

/** Moves the contact's latest open opportunity of the pipeline. */
export async function moveDeal(
  work: Work,
  contactId: string,
  { pipeline, stage }: NonNullable<Step['moveStage']>,
): Promise<Done> {
  const { pipelineId, stageId } = await findStage(work, pipeline, stage);
  const [deal] = await work.rows<{ id: string }>(LATEST, [
    work.subAccountId,
    contactId,
    pipelineId,
  ]);
  if (!deal || stageId === null) {
    throw refusal(`the contact has no open opportunity in the pipeline ${pipeline}`);
  }
  await moveOpportunity(work, deal.id, stageId);
  return { outcome: 'done', detail: deal.id };
}

const LATEST = `select id from opportunities
  where sub_account_id = $1 and contact_id = $2 and pipeline_id = $3 and status = 'open'
    and deleted_at is null
  order by id desc limit 1`;

interface DealsRow {
  readonly pipelineId: string;
  readonly stageId: string | null;
}

async function findStage(
  work: Work,
  pipeline: string,
  stage: string | undefined,
): Promise<DealsRow> {
  const [found] = await work.rows<DealsRow>(FIND, [work.subAccountId, pipeline, stage ?? null]);
  if (!found) {
    throw refusal(`the pipeline ${pipeline} was removed`);
  }
  if (stage !== undefined && found.stageId === null) {
    throw refusal(`the stage ${stage} of the pipeline ${pipeline} was removed`);
  }
  return found;
}

const FIND = `select p.id as "pipelineId", s.id as "stageId"
  from pipelines p
  left join pipeline_stages s
    on s.sub_account_id = p.sub_account_id and s.pipeline_id = p.id and s.key = $3
  where p.sub_account_id = $1 and p.key = $2`;
