import { isQueued } from '#platform/queue/private-tables.ts';
import { mailCampaigns } from '../campaigns.jobs.ts';
import type { DispatchTools } from '../dispatch-due.ts';

/**
 * Has sub-accounts mailed for that nobody mails for any more, though their campaigns go on, or though
 * somebody had begun: the worker that did was killed, and the queue would keep its job for it.
 */
export const wakeMailing = ({ database }: Pick<DispatchTools, 'database'>): Promise<object[]> =>
  database.rows(WAKE, [mailCampaigns.name, mailCampaigns.maxAttempts]);

const WAKE = `with abandoned as (
    select a.id from (
      select sub_account_id from campaigns where status = 'sending'
      union select sub_account_id from campaign_recipients where status = 'sending'
    ) as begun
    join sub_accounts a on a.id = begun.sub_account_id and a.deleted_at is null
    left join campaign_turns t on t.sub_account_id = a.id
    where (t.turn_until is null or t.turn_until < now())
      and not ${isQueued(`$1 || ':' || a.id`)}
  )
  select queue_jobs(
    array_agg($1::text), array_agg($1 || ':' || id),
    array_agg(json_build_object('subAccountId', id)), $2::int
  ) from abandoned`;
