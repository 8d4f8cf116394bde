import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { shortText, request } from '#core/schema/schema.ts';
import { defineSection, key, type EntryIssue } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { Pipeline } from './pipeline.entity.ts';
import { PipelineStage } from './pipeline-stage.entity.ts';
import { Fault } from '#core/fault.ts';

const STAGES_MAX = 100;

const stage = request({
  key: key(),
  name: shortText(),
  probability: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 0 })),
});

const schema = request({
  key: key({ description: 'Key by which the rest of the manifest refers to the pipeline.' }),
  name: shortText({ description: 'Name for display.' }),
  stages: Type.Optional(
    Type.Array(stage, {
      maxItems: STAGES_MAX,
      description:
        'All stages in order, each with its probability of winning in percent; a stage left out is removed.',
    }),
  ),
});

type PipelineInput = Static<typeof schema>;
type PipelineEntry = Required<Omit<PipelineInput, 'stages'>> & {
  readonly stages: readonly Required<Static<typeof stage>>[];
};

interface Row {
  readonly pipeline: Pipeline;
  stages: PipelineStage[];
}

export const pipelinesSection = defineSection({
  name: 'pipelines',
  summary: 'Pipelines and their stages, in order; the first pipeline is the default.',
  match: 'key',
  schema,
  check: repeatedStages,
  nested: 'stages',
  complete: ({ key, name, stages }, stored: PipelineEntry | undefined): PipelineEntry => ({
    key,
    name,
    stages: stages?.map((one) => ({ probability: 0, ...one })) ?? stored?.stages ?? [],
  }),
  cautions: (stored, wanted) =>
    stagesWithout(stored.stages, wanted).map(({ key }) => `${wanted.key} loses its stage ${key}`),
  load,
  valueOf: ({ pipeline: { key, name }, stages }: Row): PipelineEntry => ({
    key,
    name,
    stages: stages.map(({ key, name, probability }) => ({ key, name, probability })),
  }),
  idOf: ({ pipeline }) => pipeline.id,
  nestedKeysOf: ({ key, stages }) => ({ stages: stages.map((one) => `${key}/${one.key}`) }),
  nestedIdsOf: ({ pipeline, stages }) => ({
    stages: Object.fromEntries(stages.map(({ key, id }) => [`${pipeline.key}/${key}`, id])),
  }),
  async create(work, { key, name, stages }) {
    const { em, subAccountId, now } = work;
    const times = { createdAt: now, updatedAt: now };
    const id = newId(now);
    const pipeline = em.create(Pipeline, { subAccountId, id, key, name, position: 0, ...times });
    em.persist(pipeline);
    await em.flush();
    const row: Row = { pipeline, stages: [] };
    setStages(work, row, stages);
    return row;
  },
  async update(work, row, wanted) {
    const dropped = stagesWithout(row.stages, wanted);
    await refuseWhileInUse(work, row.pipeline, dropped);
    dropped.forEach((one) => work.em.remove(one));
    work.em.assign(row.pipeline, { name: wanted.name, updatedAt: work.now });
    setStages(work, row, wanted.stages);
  },
  async remove(work, { pipeline, stages }) {
    await refuseWhileInUse(work, pipeline, stages);
    work.em.remove(pipeline);
  },
  place({ pipeline }, position) {
    pipeline.position = position;
  },
});

async function load({ em, subAccountId }: Work): Promise<Row[]> {
  const orderBy = { position: 'asc', id: 'asc' } as const;
  const pipelines = await em.find(Pipeline, { subAccountId }, { orderBy });
  const stages = await em.find(PipelineStage, { subAccountId }, { orderBy });
  const byPipeline = Map.groupBy(stages, ({ pipelineId }) => pipelineId);
  return pipelines.map((pipeline) => ({ pipeline, stages: byPipeline.get(pipeline.id) ?? [] }));
}

const stagesWithout = <S extends { readonly key: string }>(
  stages: readonly S[],
  wanted: PipelineEntry,
): S[] => stages.filter(({ key }) => !wanted.stages.some((one) => one.key === key));

/** Existing stages keep their ids. */
function setStages(
  { em, subAccountId, now }: Work,
  row: Row,
  wanted: PipelineEntry['stages'],
): void {
  const stored = new Map(row.stages.map((one) => [one.key, one]));
  row.stages = wanted.map((one, position) => {
    const known = stored.get(one.key);
    if (known) {
      return em.assign(known, { ...one, position, updatedAt: now });
    }
    const fresh = em.create(PipelineStage, {
      ...one,
      subAccountId,
      id: newId(now),
      pipelineId: row.pipeline.id,
      position,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(fresh);
    return fresh;
  });
}

function repeatedStages({ stages = [] }: PipelineInput): readonly EntryIssue[] {
  const first = new Map<string, number>();
  return stages.flatMap(({ key }, index) => {
    const before = first.get(key.toLowerCase());
    first.set(key.toLowerCase(), before ?? index);
    return before === undefined
      ? []
      : [{ path: `/stages/${index}/key`, message: `repeats the key of stage ${before}` }];
  });
}

/**
 * Throws if a live opportunity is in one of the stages. Locks the stages, so that no opportunity can be
 * added until the work ends. Deleted opportunities lose the stage (foreign key).
 */
async function refuseWhileInUse(
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
    const counts = stages.flatMap((stage) => {
      const count = inUse.find(({ id }) => id === stage.id)?.count;
      return count === undefined ? [] : [`${count} in its stage ${stage.key}`];
    });
    const total = inUse.reduce((sum, { count }) => sum + count, 0);
    throw new Fault(
      'VALIDATION_ERROR',
      `pipeline ${key} (${name}) still holds ${total} ${total === 1 ? 'opportunity' : 'opportunities'} that would lose their stage: ${counts.join(', ')}; nothing was changed`,
    );
  }
}

const LOCK_STAGES = `select id from pipeline_stages
  where sub_account_id = $1 and id = any($2::uuid[]) order by id for update`;

const COUNT_BY_STAGE = `select stage_id as id, count(*) as count from opportunities
  where sub_account_id = $1 and stage_id = any($2::uuid[]) and deleted_at is null
  group by stage_id`;
