import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { Pipeline } from './pipeline.entity.ts';
import type { PipelineStage } from './pipeline-stage.entity.ts';

/**
 * Stages go once no live opportunity stands in them; until this work is done, none can come. Deleted
 * ones lose their stage with it (foreign key).
 */
export async function refuseWhileInUse(
  work: Work,
  { key, name }: Pipeline,
  stages: readonly PipelineStage[],
): Promise<void> {
  if (stages.length === 0) {
    return;
  }
  const values = [work.subAccountId, stages.map(({ id }) => id)];
  await work.rows(LOCK_STAGES, values);
  const inUse = await work.rows<{ id: string; count: number }>(COUNT_BY_STAGE, values);
  if (inUse.length > 0) {
    const told = stages.flatMap((stage) => {
      const count = inUse.find(({ id }) => id === stage.id)?.count;
      return count === undefined ? [] : [`${count} in its stage ${stage.key}`];
    });
    const total = inUse.reduce((sum, { count }) => sum + count, 0);
    throw new Fault(
      'VALIDATION_ERROR',
      `pipeline ${key} (${name}) still holds ${total} ${total === 1 ? 'opportunity' : 'opportunities'} that would lose their stage: ${told.join(', ')}; nothing was changed`,
    );
  }
}

const LOCK_STAGES = `select id from pipeline_stages
  where sub_account_id = $1 and id = any($2::uuid[]) order by id for update`;

const COUNT_BY_STAGE = `select stage_id as id, count(*) as count from opportunities
  where sub_account_id = $1 and stage_id = any($2::uuid[]) and deleted_at is null
  group by stage_id`;
