import { retryWhileDown } from '#platform/database/database-errors.ts';
import { type SendOutcome, finalOutcome, settle } from './outcome.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { Fault } from '#core/fault.ts';
import { handle, type JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
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
import { findNext, finishCampaigns, nextDue } from './next-campaign.ts';
import { runSendLoop, inFlightWindow, openTokenBucket } from './send-loop.ts';
import { enterSlice } from './slice-gate.ts';
import { openTimeSlice } from './time-slice.ts';
import { linksOf, UNSUBSCRIBE } from '../compose/campaign-links.ts';
import type { CampaignWording } from '../compose/compile-mail.ts';

/** The wait before the next lookup of a mail server whose name does not resolve. */
const NEXT_LOOKUP_MS = 30_000;

/**
 * Sends campaign mails of a sub-account for one time slice, or until it is stalled. The job is then queued
 * again behind those of other sub-accounts, so that all get the same number of slices. Mails in flight at
 * the end of the slice delay no other sub-account.
 */
export const handleMailCampaigns = handle(
  mailCampaigns,
  async ({ subAccountId }, context) => {
    const endSlice = await enterSlice(subAccountId, context.signal);
    try {
      await mailUnderLease(subAccountId, { context, endSlice });
    } finally {
      endSlice();
    }
  },
  stopAfterDeaths,
);

interface Slice {
  readonly context: JobContext;
  /** Called when no more mails are sent: then waiting sub-accounts get the place. */
  readonly endSlice: () => void;
}

async function mailUnderLease(subAccountId: string, slice: Slice): Promise<void> {
  const { context } = slice;
  const view = context.openView(subAccountId, context.clock());
  const lease = await acquireMailingLease(view);
  if (!lease) {
    return context.transact(subAccountId, context.actor, async (work) =>
      queueMailing(work, { waitMs: mailingLease.durationMs }),
    );
  }
  const waitMs = await withLease(mailingLease, heldBy(lease), context, () =>
    mailForOneSlice(view, lease, slice),
  );
  await endLease(lease, context, waitMs);
}

/** Returns the wait before the next slice in milliseconds. */
async function mailForOneSlice(view: View, lease: MailingLease, slice: Slice): Promise<number> {
  const { context } = slice;
  const campaign = await findNext(view);
  if (!campaign) {
    return 0;
  }
  try {
    return await mailCampaign(view, lease, campaign, slice);
  } catch (error) {
    if (isInterruption(error, context) || isLeaseLost(error)) {
      throw error;
    }
    // It would fail the same way in every slice.
    context.log.warn({ err: error, campaignId: campaign.id }, 'campaign failed: this is a bug');
    await stopCampaign(lease, campaign, context, { errorCode: 'internal_error' });
    return 0;
  }
}

async function mailCampaign(
  view: View,
  lease: MailingLease,
  campaign: CampaignWording,
  slice: Slice,
): Promise<number> {
  const { context } = slice;
  const { tools, settings, clock } = context;
  const found = await openCampaignProvider(view, {
    ...tools,
    outboundAllow: settings.outboundAllow ?? [],
    baseUrl: settings.baseUrl,
    clock,
  });
  if (isProvider(found)) {
    const stuck = await sendCampaign(view, lease, campaign, { ...slice, provider: found });
    if (stuck) {
      await stopCampaign(lease, campaign, context, stuck);
    }
    return 0;
  }
  if (found.result === 'stuck') {
    await stopCampaign(lease, campaign, context, found);
    return 0;
  }
  context.log.warn(
    { subAccountId: lease.subAccountId, ...found },
    'campaign mails wait: the mail server was not found',
  );
  return NEXT_LOOKUP_MS;
}

/** Queues the next job if mails are left, and ends the lease in the same transaction. */
async function endLease(
  lease: MailingLease,
  { transact, actor, openView, clock }: JobContext,
  waitMs: number,
): Promise<void> {
  const { subAccountId } = lease;
  const due = await nextDue(openView(subAccountId, clock()));
  await transact(subAccountId, actor, async (work) => {
    finishCampaigns(work);
    skipDeferred(work);
    if (due) {
      // Never in the past: the jobs of others that wait come first.
      queueMailing(work, { runAt: due, waitMs });
    }
    work.write(RELEASE, heldBy(lease));
  });
}

const RELEASE = mailingLease.release();

interface MailingContext extends Slice {
  readonly provider: CampaignProvider;
}

/** Sends mails of one campaign for one time slice. Returns the reason if none of them can be sent. */
async function sendCampaign(
  view: View,
  { subAccountId, holder }: MailingLease,
  campaign: CampaignWording,
  { context, provider, endSlice }: MailingContext,
): Promise<Stuck | undefined> {
  const { settings, log } = context;
  let stuck: Stuck | undefined;
  let isReached = false;
  /** The error of each recipient that gets another attempt. */
  const waiting = new Map<string, string>();
  const send = await sender(view, campaign, { context, provider });
  const startedAt = performance.now();
  const timeSlice = openTimeSlice(subAccountId);
  await runSendLoop({
    subAccountId,
    campaignId: campaign.id,
    holder,
    rows: view.rows,
    bucket: openTokenBucket(provider.ratePerSecond, startedAt),
    window: inFlightWindow(provider.connections),
    over: AbortSignal.any([context.signal, timeSlice.over]),
    onClaimed: endSlice,
    onBug: (error) =>
      log.warn(
        { err: error, subAccountId },
        'sending a campaign mail threw an error; this is a bug',
      ),
    onNamed: (externalIds) => receiveEarly(subAccountId, externalIds, context),
    async mail(recipient) {
      const result = await timeSlice.mail(() => send(recipient));
      isReached ||= result.result === 'sent' || result.isUnreached !== true;
      const { attempts } = recipient;
      const outcome = finalOutcome(result, { attempts, isReached }, settings.sendRetries);
      if (outcome.result === 'stuck') {
        stuck = outcome;
        timeSlice.end();
      } else if (outcome.result === 'refused' && outcome.isDeadAddress) {
        await suppress(subAccountId, recipient.address, context);
      }
      const settled = settle(recipient, outcome, settings.sendRetries);
      if (outcome.result === 'again' && settled.status === 'pending') {
        waiting.set(settled.id, outcome.errorCode);
      }
      return settled;
    },
  })
    // Node keeps combined signals with listeners until they are aborted.
    .finally(timeSlice.end);
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
  { context: { tools, settings }, provider }: Omit<MailingContext, 'endSlice'>,
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
