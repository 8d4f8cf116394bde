import { retryWhileDown } from '#platform/database/database-errors.ts';
import { type SendOutcome, finalOutcome, settle } from './outcome.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { Fault } from '#core/fault.ts';
import { handle, type JobContext } from '#core/job.ts';
import type { View, Work } from '#core/work.ts';
import { isLeaseLost, withLease } from '#platform/database/lease.ts';
import { isInterruption } from '#platform/queue/give-up.ts';
import { isProvider, openCampaignProvider, type CampaignProvider } from './campaign-provider.ts';
import {
  acquireMailingLease,
  heldBy,
  mailingLease,
  type MailingLease,
  type ClaimedRecipient,
} from './claim-recipients.ts';
import { mailCampaigns, queueMailing } from '../campaigns.jobs.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { skipDeferred } from '../pause-resume-cancel.ts';
import { stopAfterDeaths, stopCampaign, type Stuck } from './stop-campaign.ts';
import { receiveEarlyReceipts } from '../../conversations/inbound/receive-receipt.ts';
import { runSendLoop, inFlightWindow, openTokenBucket } from './send-loop.ts';
import { linksOf, UNSUBSCRIBE } from '../compose/campaign-links.ts';
import type { CampaignWording } from '../compose/compile-mail.ts';

/** The wait before the next lookup of a mail server whose name does not resolve. */
const NEXT_LOOKUP_MS = 30_000;

/**
 * Sends campaign mails of a sub-account for one time slice. The job is then queued again behind those
 * of other sub-accounts, so that all get the same share of the lane.
 */
export const handleMailCampaigns = handle(
  mailCampaigns,
  async ({ subAccountId }, context) => {
    const view = context.openView(subAccountId, context.clock());
    const lease = await acquireMailingLease(view);
    if (!lease) {
      return context.transact(subAccountId, context.actor, async (work) =>
        queueMailing(work, mailingLease.latestEnd(work.now)),
      );
    }
    const notBefore = await withLease(mailingLease, heldBy(lease), context, () =>
      mailForOneSlice(view, lease, context),
    );
    await endLease(lease, context, notBefore);
  },
  stopAfterDeaths,
);

/** Returns the earliest time to continue; undefined to continue at once. */
async function mailForOneSlice(
  view: View,
  lease: MailingLease,
  context: JobContext,
): Promise<Date | undefined> {
  const campaign = await findNext(view);
  if (!campaign) {
    return undefined;
  }
  try {
    return await mailCampaign(view, lease, campaign, context);
  } catch (error) {
    if (isInterruption(error, context) || isLeaseLost(error)) {
      throw error;
    }
    // It would fail the same way in every slice.
    context.log.warn({ err: error, campaignId: campaign.id }, 'campaign failed: this is a bug');
    await stopCampaign(lease, campaign, context, { errorCode: 'internal_error' });
    return undefined;
  }
}

async function mailCampaign(
  view: View,
  lease: MailingLease,
  campaign: CampaignWording,
  context: JobContext,
): Promise<Date | undefined> {
  const { tools, settings, clock } = context;
  const found = await openCampaignProvider(view, {
    ...tools,
    outboundAllow: settings.outboundAllow ?? [],
    baseUrl: settings.baseUrl,
    clock,
  });
  if (isProvider(found)) {
    const stuck = await sendCampaign(view, lease, campaign, { context, provider: found });
    if (stuck) {
      await stopCampaign(lease, campaign, context, stuck);
    }
    return undefined;
  }
  if (found.result === 'stuck') {
    await stopCampaign(lease, campaign, context, found);
    return undefined;
  }
  context.log.warn(
    { subAccountId: lease.subAccountId, ...found },
    'campaign mails wait: the mail server was not found',
  );
  return new Date(clock().getTime() + NEXT_LOOKUP_MS);
}

/** Queues the next job if mails are left, and ends the lease in the same transaction. */
async function endLease(
  lease: MailingLease,
  { transact, actor, openView, clock }: JobContext,
  notBefore: Date | undefined,
): Promise<void> {
  const { subAccountId } = lease;
  const due = await nextDue(openView(subAccountId, clock()));
  await transact(subAccountId, actor, async (work) => {
    finishCampaigns(work);
    skipDeferred(work);
    if (due) {
      // Never in the past: the jobs of others that wait come first.
      queueMailing(work, latest(due, notBefore ?? due, work.now));
    }
    work.write(RELEASE, heldBy(lease));
  });
}

const latest = (...times: readonly Date[]): Date =>
  new Date(Math.max(...times.map((time) => time.getTime())));

const RELEASE = mailingLease.release();

/** The length of a time slice; then waiting sub-accounts get the worker. */
const SLICE_MS = 3_000;

interface MailingContext {
  readonly context: JobContext;
  readonly provider: CampaignProvider;
}

/** Sends mails of one campaign for one time slice. Returns the reason if none of them can be sent. */
async function sendCampaign(
  view: View,
  { subAccountId, holder }: MailingLease,
  campaign: CampaignWording,
  { context, provider }: MailingContext,
): Promise<Stuck | undefined> {
  const { signal, settings, log } = context;
  const startedAt = performance.now();
  let stuck: Stuck | undefined;
  let isReached = false;
  /** The error of each recipient that gets another attempt. */
  const waiting = new Map<string, string>();
  const send = await sender(view, campaign, { context, provider });
  await runSendLoop({
    subAccountId,
    campaignId: campaign.id,
    holder,
    rows: view.rows,
    bucket: openTokenBucket(provider.ratePerSecond, startedAt),
    window: inFlightWindow(provider.connections),
    isOver: () => stuck !== undefined || signal.aborted || performance.now() - startedAt > SLICE_MS,
    onBug: (error) =>
      log.warn(
        { err: error, subAccountId },
        'sending a campaign mail threw an error; this is a bug',
      ),
    onNamed: (externalIds) => receiveEarly(subAccountId, externalIds, context),
    async mail(recipient) {
      const result = await send(recipient);
      isReached ||= result.result === 'sent' || result.isUnreached !== true;
      const { attempts } = recipient;
      const outcome = finalOutcome(result, { attempts, isReached }, settings.sendRetries);
      if (outcome.result === 'stuck') {
        stuck = outcome;
      } else if (outcome.result === 'refused' && outcome.isDeadAddress) {
        await suppress(subAccountId, recipient.address, context);
      }
      const settled = settle(recipient, outcome, settings.sendRetries);
      if (outcome.result === 'again' && settled.status === 'pending') {
        waiting.set(settled.id, outcome.errorCode);
      }
      return settled;
    },
  });
  if (waiting.size > 0) {
    const about = { subAccountId, campaignId: campaign.id, mails: waiting.size };
    const errorCode = [...waiting.values()].at(-1);
    log.warn({ ...about, errorCode }, 'campaign mails not accepted; trying again');
  }
  return stuck;
}

async function sender(
  view: View,
  campaign: CampaignWording,
  { context: { tools, settings }, provider }: MailingContext,
): Promise<(recipient: ClaimedRecipient) => Promise<SendOutcome>> {
  const send = provider.compile(campaign);
  const customValues = await customValuesOf(view);
  const linkOf = linksOf(UNSUBSCRIBE, tools.secrets, settings.baseUrl);
  return async ({ id, email, contactEmail, firstName, lastName, phone, company }) => {
    const values = mergeValuesOf(
      { firstName, lastName, email: contactEmail, phone, company },
      customValues,
    );
    const unsubscribeUrl = linkOf({ subAccountId: view.subAccountId, id });
    try {
      return await send({ id, email, values, unsubscribeUrl });
    } catch (error) {
      return refusedBy(error);
    }
  };
}

/** A mail that becomes too long with its values is refused; other errors are bugs. */
function refusedBy(error: unknown): SendOutcome {
  if (!(error instanceof Fault)) {
    throw error;
  }
  return { result: 'refused', errorCode: 'too_long', errorMessage: error.message };
}

/** A failure is only logged: the recipient's row records the dead address, too. */
const suppress = (subAccountId: string, address: string, { transact, actor, log }: JobContext) =>
  transact(subAccountId, actor, async (work) => {
    await suppressAddress(work, { channel: 'email', address, reason: 'bounce' });
  }).catch((error: unknown) =>
    log.warn({ err: error, subAccountId }, 'dead address not suppressed'),
  );

/** The bridge may report a bounce before its response to the mail is stored. */
const receiveEarly = (
  subAccountId: string,
  externalIds: readonly string[],
  { transact, actor, log }: JobContext,
) =>
  retryWhileDown(() =>
    transact(subAccountId, actor, (work) => receiveEarlyReceipts(work, 'email', externalIds)),
  ).catch((error: unknown) =>
    log.warn(
      { err: error, subAccountId },
      'receipts that came before the response were not applied',
    ),
  );

/** Returns the campaign of the sub-account that has waited longest for its next slice. */
async function findNext(view: View): Promise<CampaignWording | undefined> {
  const [campaign] = await view.rows<CampaignWording>(SERVE, [view.subAccountId]);
  return campaign;
}

/** Chooses and marks in one statement, for every time slice (bench scenario `campaign`). */
const SERVE = `update campaigns c set served_at = now()
  where c.sub_account_id = $1 and c.id = (
    select n.id from campaigns n
    join sub_accounts a on a.id = n.sub_account_id and a.deleted_at is null
    where n.sub_account_id = $1 and n.status = 'sending' and exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = n.id and r.status = 'pending'
        and (r.due_at is null or r.due_at <= now())
    )
    order by n.served_at nulls first, n.id limit 1
  )
  returning c.id, c.subject, c.preheader, c.content_html as "contentHtml",
    c.layout_html as "layoutHtml"`;

/** Sets campaigns without pending recipients to `sent`. */
const finishCampaigns = (work: Work): void => work.write(FINISH, [work.subAccountId, work.now]);

const FINISH = `update campaigns c set status = 'sent', finished_at = $2, updated_at = $2
  where c.sub_account_id = $1 and c.status = 'sending'
    and not exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'
    )
    and not exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'sending'
    )`;

/** Returns when the next mail is due, which may be in the past; undefined if none is pending. */
async function nextDue(view: View): Promise<Date | undefined> {
  const [next] = await view.rows<{ dueAt: Date | null }>(NEXT, [view.subAccountId]);
  return next?.dueAt ?? undefined;
}

const NEXT = `select min(first.due_at) as "dueAt" from campaigns c
  join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null
  cross join lateral (
    select case when exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'
        and r.due_at is null
    ) then now() else (
      select min(r.due_at) from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'
    ) end as due_at
  ) as first
  where c.sub_account_id = $1 and c.status = 'sending'`;
