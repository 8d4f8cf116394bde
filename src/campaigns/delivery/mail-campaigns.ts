import { handle, type JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { withLease } from '#platform/database/lease.ts';
import { isProvider, openCampaignProvider } from './campaign-provider.ts';
import { acquireMailingLease, heldBy, mailingLease, type MailingLease } from './lease.ts';
import { mailCampaigns, queueMailing } from '../campaigns.jobs.ts';
import { findNext, finishCampaigns, nextDue, type GoingCampaign } from './find-next.ts';
import { holdCampaign } from './hold-campaign.ts';
import { mailBySmtp, type Stuck } from './mail-by-smtp.ts';

/** How soon a mail server whose name does not resolve is looked for again. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Mails for the sub-account for a short while, then lets others have the place: the order of the
 * queue is the fair order between sub-accounts.
 */
export const handleMailCampaigns = handle(mailCampaigns, async ({ subAccountId }, context) => {
  const view = context.openView(subAccountId, context.clock());
  const lease = await acquireMailingLease(view);
  if (!lease) {
    return context.transact(subAccountId, context.actor, async (work) =>
      queueMailing(work, mailingLease.latestEnd(work.now)),
    );
  }
  const notBefore = await withLease(mailingLease, heldBy(lease), context, () =>
    mailForAWhile(view, lease, context),
  );
  await endLease(lease, context, notBefore);
});

/** Answers when it can go on at the soonest, where that is not at once. */
async function mailForAWhile(
  view: View,
  lease: MailingLease,
  context: JobContext,
): Promise<Date | undefined> {
  const campaign = await findNext(view);
  if (!campaign) {
    return undefined;
  }
  const { tools, settings, clock } = context;
  const found = await openCampaignProvider(view, {
    ...tools,
    outboundAllow: settings.outboundAllow ?? [],
    baseUrl: settings.baseUrl,
    clock,
  });
  if (isProvider(found)) {
    const stuck = await mailBySmtp(view, lease, campaign, { context, provider: found });
    if (stuck) {
      await holdBack(lease, campaign, context, stuck);
    }
    return undefined;
  }
  if (found.result === 'stuck') {
    await holdBack(lease, campaign, context, found);
    return undefined;
  }
  context.log.warn({ subAccountId: lease.subAccountId, ...found }, 'a campaign waits');
  return new Date(clock().getTime() + LOOK_AGAIN_MS);
}

async function holdBack(
  { subAccountId }: MailingLease,
  { id }: GoingCampaign,
  { transact, actor, log }: JobContext,
  { errorCode }: Pick<Stuck, 'errorCode'>,
): Promise<void> {
  log.warn({ subAccountId, campaignId: id, why: errorCode }, 'a campaign is held');
  await transact(subAccountId, actor, async (work) => {
    work.audit(id);
    holdCampaign(work, id, errorCode);
  });
}

/** Queues the next job where mails are left, and ends the lease in the same transaction. */
async function endLease(
  lease: MailingLease,
  { transact, actor, openView, clock }: JobContext,
  notBefore: Date | undefined,
): Promise<void> {
  const { subAccountId } = lease;
  const due = await nextDue(openView(subAccountId, clock()));
  await transact(subAccountId, actor, async (work) => {
    finishCampaigns(work);
    if (due) {
      queueMailing(work, notBefore && notBefore > due ? notBefore : due);
    }
    work.write(RELEASE, heldBy(lease));
  });
}

const RELEASE = mailingLease.release();
