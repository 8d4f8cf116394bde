import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { StageUse, PipelineSummary } from './pipeline.schema.ts';

/** The open opportunities of a stage in one currency. */
interface Row {
  readonly pipelineName: string;
  readonly stageId: string | null;
  readonly name: string;
  readonly probability: number;
  readonly currency: string | null;
  readonly count: number;
  readonly value: number | null;
}

/** Returns count and value of a pipeline's open opportunities, by stage and currency. */
export async function summarisePipeline(view: View, id: string): Promise<PipelineSummary> {
  const rows = await view.rows<Row>(SUMMARY, [view.subAccountId, id]);
  const [first] = rows;
  if (!first) {
    throw notFound('pipeline');
  }
  const byStage = Map.groupBy(
    rows.filter(({ stageId }) => stageId !== null),
    ({ stageId }) => stageId,
  );
  const stages = [...byStage.values()].map((stageRows, position) => {
    const { stageId, name, probability } = stageRows[0] as Row & { readonly stageId: string };
    return { stageId, name, position, probability, ...useOf(stageRows) };
  });
  return { id, name: first.pipelineName, stages, totals: useOf(rows) };
}

function useOf(rows: readonly Row[]): StageUse {
  const sums = new Map<string, { value: number; weightedValue: number }>();
  for (const { currency, value, probability } of rows) {
    if (currency !== null && value !== null) {
      const sum = sums.get(currency) ?? { value: 0, weightedValue: 0 };
      sum.value += value;
      sum.weightedValue += (value * probability) / 100;
      sums.set(currency, sum);
    }
  }
  const values = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    values: values.map(([currency, { value, weightedValue }]) => {
      return { currency, value: rounded(value), weightedValue: rounded(weightedValue) };
    }),
  };
}

/** Rounds a sum of doubles to its exact digits: 0.3 for 0.1 + 0.2. */
export const rounded = (sum: number): number => Number(sum.toPrecision(EXACT_DIGITS));
const EXACT_DIGITS = 15;

/**
 * Reads only the index `opportunities_open`, once: without statistics and without `materialized`, the
 * planner would read it again for each stage.
 */
const SUMMARY = `with held as materialized (
    select stage_id, currency, count(*) as count, sum(value) as value from opportunities
    where sub_account_id = $1 and pipeline_id = $2 and deleted_at is null and status = 'open'
    group by stage_id, currency
  )
  select p.name as "pipelineName", s.id as "stageId", s.name, s.probability,
    held.currency, coalesce(held.count, 0) as count, held.value
  from pipelines p
  left join pipeline_stages s on s.sub_account_id = p.sub_account_id and s.pipeline_id = p.id
  left join held on held.stage_id = s.id
  where p.sub_account_id = $1 and p.id = $2
  order by s.position, s.id`;
