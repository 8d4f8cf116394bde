import { counted } from '#lib/counted.ts';
import { ok, warn, type Check } from './check.ts';

const NAMED_MAX = 10;

/** Warns about recurring campaigns whose last run sent nothing. */
export const recurringCampaigns: Check = {
  name: 'recurring campaigns',
  async examine({ rows }) {
    const [found] = await rows<{ all: number }>(COUNT);
    const all = found?.all ?? 0;
    const troubled = await rows<Troubled>(TROUBLED);
    if (troubled.length === 0) {
      return ok(all === 0 ? 'none in use' : counted(all, 'recurring campaign'));
    }
    const named = troubled.slice(0, NAMED_MAX).map(({ key, error }) => `${key}: ${error}`);
    const more = troubled.length > NAMED_MAX ? `; and ${troubled.length - NAMED_MAX} more` : '';
    return warn(
      `the last run of ${troubled.length} of ${counted(all, 'recurring campaign')} sent nothing: ${named.join('; ')}${more}`,
      'see frontdesk admin campaign recurring list; fix the list or the template in the manifest, or set active: false',
    );
  },
};

interface Troubled {
  readonly key: string;
  readonly error: string;
}

const COUNT = `select count(*)::int as all from recurring_campaigns r
  join sub_accounts a on a.id = r.sub_account_id and a.deleted_at is null where r.active`;

/** The run made no campaign, its campaign is held, or there was no contact to mail. */
const TROUBLED = `select r.key, coalesce(r.last_error, c.held_because, 'empty_audience') as error
  from recurring_campaigns r
  join sub_accounts a on a.id = r.sub_account_id and a.deleted_at is null
  left join lateral (
    select c.held_because, c.status in ('sending', 'sent') and not exists (
      select from campaign_recipients p
      where p.sub_account_id = c.sub_account_id and p.campaign_id = c.id
    ) as is_empty
    from campaigns c
    where c.sub_account_id = r.sub_account_id and c.recurring_campaign_id = r.id
    order by c.scheduled_at desc limit 1
  ) c on true
  where r.active and (r.last_error is not null or c.held_because is not null or c.is_empty)
  order by r.last_tick_at desc, r.id`;
