import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { CampaignStatus } from '../campaign.schema.ts';
import { problemOf } from '../campaign.store.ts';

export interface ListedRecurring {
  readonly id: string;
  readonly subAccountId: string;
  readonly key: string;
  readonly name: string;
  /** Keys; null once removed. */
  readonly list: string | null;
  readonly template: string | null;
  readonly subject: string;
  readonly repeat: string;
  readonly timezone: string;
  readonly active: boolean;
  /** Null while it is inactive. */
  readonly nextRunAt: string | null;
  readonly lastRunAt: string | null;
  /** The code of why the last run sent nothing. */
  readonly lastError: string | null;
  readonly lastCampaign: LastCampaign | null;
}

interface LastCampaign {
  readonly id: string;
  readonly status: CampaignStatus;
  readonly recipients: number;
}

/** Returns recurring campaigns of all sub-accounts, or of one, by the time of the next run. */
export const listRecurring = (view: View, subAccountId?: string): Promise<ListedRecurring[]> =>
  subAccountId === undefined
    ? view.rows(listOf('r.sub_account_id'), [])
    : view.rows(listOf('$1'), [subAccountId]);

/** SQL: the last campaign of recurring campaign `r` of the sub-account `own`, as `c`, with its number of recipients. */
const lastCampaign = (own: string): string => `left join lateral (
    select c.id, c.status, ${problemOf(own)} as problem, (
      select count(*)::int from campaign_recipients p
      where p.sub_account_id = ${own} and p.campaign_id = c.id
    ) as recipients
    from campaigns c
    where c.sub_account_id = ${own} and c.recurring_campaign_id = r.id
    order by c.scheduled_at desc limit 1
  ) c on true`;

/** SQL: why the last run sent nothing. Null if it sent. */
const LAST_ERROR = 'coalesce(r.last_error, c.problem)';

/** One node of a cluster answers only if every table has the sub-account as a value. */
const listOf = (
  own: string,
): string => `select r.id, r.sub_account_id as "subAccountId", r.key, r.name, l.key as list,
    t.key as template, r.subject, r.repeat, coalesce(r.timezone, a.timezone) as timezone, r.active,
    case when r.active then ${isoText('r.next_at')} end as "nextRunAt",
    ${isoText('r.last_tick_at')} as "lastRunAt", ${LAST_ERROR} as "lastError",
    case when c.id is not null then
      json_build_object('id', c.id, 'status', c.status, 'recipients', c.recipients)
    end as "lastCampaign"
  from recurring_campaigns r
  join sub_accounts a on a.id = r.sub_account_id and a.deleted_at is null
  left join lists l on l.sub_account_id = ${own} and l.id = r.list_id
  left join mail_templates t on t.sub_account_id = ${own} and t.id = r.template_id
  ${lastCampaign(own)}
  where r.sub_account_id = ${own}
  order by r.active desc, r.next_at, r.id`;
