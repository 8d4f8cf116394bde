import type { View } from '#core/work.ts';

/** The number of mails that were settled until a time. */
export interface ProgressPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly settled: number;
}

const POINTS_MAX = 60;

/** Returns the progress of a campaign since it began, in at most 60 steps of the same length. */
export const findProgress = (view: View, campaignId: string): Promise<ProgressPoint[]> =>
  view.rows<ProgressPoint>(PROGRESS, [view.subAccountId, campaignId]);

const PROGRESS = `with settled as (
    select extract(epoch from settled_at) as at from campaign_recipients
    where sub_account_id = $1 and campaign_id = $2 and settled_at is not null
  ), span as (
    select min(at) as first, greatest((max(at) - min(at)) / ${POINTS_MAX - 1}, 1) as step from settled
  ), steps as (
    select floor((s.at - first) / step) as n, first, step, count(*) as settled
    from settled s, span group by 1, 2, 3
  )
  select round((first + n * step) * 1000)::float8 as at,
    (sum(settled) over (order by n))::int as settled
  from steps order by n`;
