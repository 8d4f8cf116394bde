import type { Static } from 'typebox';
import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { pipelineSchema } from './pipeline.schema.ts';

type Pipeline = Static<typeof pipelineSchema>;

/** Returns every pipeline with its stages, both in order. The first pipeline is the default. */
export async function findPipelines(view: View): Promise<Pipeline[]> {
  const rows = await view.rows<Omit<Pipeline, 'position' | 'isDefault'>>(PIPELINES, [
    view.subAccountId,
  ]);
  return rows.map(({ id, name, stages, createdAt, updatedAt }, position) => {
    return { id, name, position, isDefault: position === 0, stages, createdAt, updatedAt };
  });
}

const PIPELINES = `select p.id, p.name, ${isoText('p.created_at')} as "createdAt",
    ${isoText('p.updated_at')} as "updatedAt",
    coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'position', s.place,
        'probability', s.probability) order by s.place)
      from (
        select id, name, probability, row_number() over (order by position, id) - 1 as place
        from pipeline_stages where sub_account_id = $1 and pipeline_id = p.id
      ) as s
    ), '[]') as stages
  from pipelines p where p.sub_account_id = $1 order by p.position, p.id`;
