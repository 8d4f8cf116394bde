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

/**
 * Months begin at midnight in the zone of the sub-account. Their bounds are computed once: doing so for
 * each opportunity took most of the time.
 */
const FORECAST = `with here as (
    select array_agg((date_part('epoch', begins at time zone timezone) * 1000)::int8 order by begins)
        as bounds,
      (array_agg(to_char(begins, 'YYYY-MM') order by begins))[1:${MONTHS}] as months
    from (
      select a.timezone, date_trunc('month', $3::timestamptz at time zone a.timezone)
        + n * interval '1 month' as begins
      from pipelines p join sub_accounts a on a.id = p.sub_account_id
      cross join generate_series(0, ${MONTHS}) as n
      where p.sub_account_id = $1 and p.id = $2
    ) as months
    having count(*) > 0
  ), summed as (
    select width_bucket(o.expected_close_date, (select bounds from here)) as month, o.currency,
      o.stage_id, count(*)::int as count, coalesce(sum(o.value), 0) as value
    from opportunities o
    where o.sub_account_id = $1 and o.pipeline_id = $2 and o.deleted_at is null
      and o.status = 'open'
    group by 1, 2, 3
  ), periods as (
    select case when month is null then 'undated' when month = 0 then 'overdue'
        when month > ${MONTHS} then 'later' else here.months[month] end as period,
      currency, sum(count)::int as count, sum(value) as value,
      sum(value * s.probability / 100) as "weightedValue"
    from summed cross join here
    join pipeline_stages s on s.sub_account_id = $1 and s.id = summed.stage_id
    group by 1, 2
  )
  select here.months, periods.* from here left join periods on true
  order by period, currency`;
