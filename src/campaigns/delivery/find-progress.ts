import type { View } from '#core/work.ts';

/** The number of mails that were sent until a time. */
export interface ProgressPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly sent: number;
}

const POINTS_MAX = 60;

/** Returns the sent mails of a campaign since the first one, in at most 60 steps of the same length. */
export const findProgress = (view: View, campaignId: string): Promise<ProgressPoint[]> =>
  view.rows<ProgressPoint>(PROGRESS, [view.subAccountId, campaignId]);

/** Materialized: PostgreSQL would compute the span again for each row that it does not expect. */
const PROGRESS = `with sent as materialized (
    select extract(epoch from settled_at) as at from campaign_recipients
    where sub_account_id = $1 and campaign_id = $2 and status = 'sent' and settled_at is not null
  ), span as materialized (
    select min(at) as first, greatest((max(at) - min(at)) / ${POINTS_MAX - 1}, 1) as step from sent
  ), steps as (
    select floor((s.at - first) / step) as n, first, step, count(*) as sent
    from sent s, span group by 1, 2, 3
  )
  select round((first + n * step) * 1000)::float8 as at,
    (sum(sent) over (order by n))::int as sent
  from steps order by n`;
