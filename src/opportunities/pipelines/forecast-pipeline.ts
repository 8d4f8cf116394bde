import { Type, type Static } from 'typebox';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { rounded } from './summarise-pipeline.ts';

/** The current month and those after it that the forecast lists one by one. */
const MONTHS = 12;

const count = Type.Integer({ minimum: 0 });

export const forecastSchema = s.response({
  months: Type.Array(Type.String({ examples: ['2026-12'] }), {
    description: 'the current month of the sub-account and the eleven after it',
  }),
  periods: Type.Array(
    s.response({
      period: Type.String({
        description: 'a month, `overdue`, `later`, or `undated`',
        examples: ['2026-12'],
      }),
      currency: Type.String(),
      count,
      value: Type.Number(),
      weightedValue: Type.Number({ description: 'the value times the probability of its stage' }),
    }),
    {
      description: 'by expected close date and currency; periods without opportunities are absent',
    },
  ),
});
type Forecast = Static<typeof forecastSchema>;

interface Row {
  readonly months: readonly string[];
  readonly period: string | null;
  readonly currency: string;
  readonly count: number;
  readonly value: number;
  readonly weightedValue: number;
}

/** Returns when the open opportunities of a pipeline are expected to close, and their values. */
export async function forecastPipeline(view: View, id: string): Promise<Forecast> {
  const rows = await view.rows<Row>(FORECAST, [view.subAccountId, id, view.now]);
  const [first] = rows;
  if (!first) {
    throw notFound('pipeline');
  }
  const periods = rows.flatMap(({ period, currency, count: deals, value, weightedValue }) =>
    period === null
      ? []
      : [
          {
            period,
            currency,
            count: deals,
            value: rounded(value),
            weightedValue: rounded(weightedValue),
          },
        ],
  );
  return { months: [...first.months], periods };
}

/** Months begin at midnight in the zone of the sub-account. */
const FORECAST = `with here as (
    select a.timezone, date_trunc('month', $3::timestamptz at time zone a.timezone) as month
    from pipelines p join sub_accounts a on a.id = p.sub_account_id
    where p.sub_account_id = $1 and p.id = $2
  ), held as materialized (
    select stage_id, currency, value, expected_close_date from opportunities
    where sub_account_id = $1 and pipeline_id = $2 and deleted_at is null and status = 'open'
  ), placed as (
    select held.currency, held.value, s.probability, here.month as current,
      date_trunc('month', to_timestamp(held.expected_close_date / 1000.0) at time zone here.timezone)
        as month
    from held cross join here
    join pipeline_stages s on s.sub_account_id = $1 and s.id = held.stage_id
  ), summed as (
    select case when month is null then 'undated' when month < current then 'overdue'
        when month >= current + interval '${MONTHS} months' then 'later'
        else to_char(month, 'YYYY-MM') end as period,
      currency, count(*)::int as count, coalesce(sum(value), 0) as value,
      coalesce(sum(value * probability / 100), 0) as "weightedValue"
    from placed group by 1, 2
  )
  select array(
      select to_char(here.month + n * interval '1 month', 'YYYY-MM')
      from generate_series(0, ${MONTHS - 1}) as n order by n
    ) as months, summed.*
  from here left join summed on true
  order by period, currency`;
