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

/** Holds the campaign that was mailed when the workers ended; others of the sub-account continue. */
export async function stopAfterDeaths(owner: Owner, context: JobContext): Promise<void> {
  const { subAccountId } = owner;
  const view = context.openView(subAccountId, context.clock());
  const [campaign] = await view.rows<{ id: string }>(LAST_SERVED, [subAccountId]);
  if (campaign) {
    await stopCampaign(owner, campaign, context, { errorCode: 'internal_error' });
  }
  await context.transact(subAccountId, context.actor, async (work) =>
    queueMailing(work, mailingLease.latestEnd(work.now)),
  );
}

const LAST_SERVED = `select id from campaigns
  where sub_account_id = $1 and status = 'sending' and served_at is not null
  order by served_at desc limit 1`;
