import { isQueued } from '#platform/queue/private-tables.ts';
import { mailCampaigns } from '../campaigns.jobs.ts';
import type { DispatchTools } from '../dispatch-due.ts';

/**
 * Queues the mailing job of sub-accounts with unfinished campaigns or claimed recipients, but without
 * a lease and without a queued job: their worker was killed, or its job was given up.
 */
export const queueAbandonedMailing = ({
  database,
}: Pick<DispatchTools, 'database'>): Promise<object[]> =>
  database.rows(QUEUE_ABANDONED, [mailCampaigns.name, mailCampaigns.maxAttempts]);

const QUEUE_ABANDONED = `with abandoned as (
    select a.id from (
      select sub_account_id from campaigns where status = 'sending'
      union select sub_account_id from campaign_recipients where status = 'sending'
    ) as unfinished
    join sub_accounts a on a.id = unfinished.sub_account_id and a.deleted_at is null
    left join campaign_turns t on t.sub_account_id = a.id
    where (t.turn_until is null or t.turn_until < now())
      and not ${isQueued(`$1 || ':' || a.id`)}
  )
  select queue_jobs(
    array_agg($1::text), array_agg($1 || ':' || id),
    array_agg(json_build_object('subAccountId', id)), $2::int
  ) from abandoned`;
