import type { JobContext } from '#core/job.ts';
import { markHeld } from '../campaign.store.ts';
import { queueMailing } from '../campaigns.jobs.ts';
import { mailingLease } from './claim-recipients.ts';

/** Why no mail of a campaign can be sent at all. */
export interface Stuck {
  readonly errorCode: string;
}

interface Owner {
  readonly subAccountId: string;
}

/** Holds a campaign until an admin resumes it. */
export async function stopCampaign(
  { subAccountId }: Owner,
  { id }: { readonly id: string },
  { transact, actor, log }: JobContext,
  { errorCode }: Stuck,
): Promise<void> {
  log.warn(
    { subAccountId, campaignId: id, reason: errorCode },
    'campaign held until an admin resumes it',
  );
  await transact(subAccountId, actor, async (work) => {
    work.audit(id);
    markHeld(work, id, errorCode);
  });
}

/**
 * Holds the campaign that was mailed when the workers ended, unless the last of them had sent mails:
 * then it continues, without the mails that were under way. Others of the sub-account continue, too.
 */
export async function stopAfterDeaths(owner: Owner, context: JobContext): Promise<void> {
  const { subAccountId } = owner;
  const view = context.openView(subAccountId, context.clock());
  const [campaign] = await view.rows<LastServed>(LAST_SERVED, [subAccountId]);
  if (campaign && !campaign.isAdvancing) {
    await stopCampaign(owner, campaign, context, { errorCode: 'internal_error' });
  }
  await context.transact(subAccountId, context.actor, async (work) =>
    queueMailing(work, { waitMs: mailingLease.durationMs }),
  );
}

interface LastServed {
  readonly id: string;
  /** Whether an outcome was recorded since a worker last chose it. */
  readonly isAdvancing: boolean;
}

const LAST_SERVED = `select c.id, exists (
    select from campaign_recipients r
    where r.sub_account_id = $1 and r.campaign_id = c.id and r.status in ('sent', 'failed')
      and r.settled_at > c.served_at
  ) as "isAdvancing"
  from campaigns c
  where c.sub_account_id = $1 and c.status = 'sending' and c.served_at is not null
  order by c.served_at desc limit 1`;
