import type { JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { retryWhileDown } from '#platform/database/retry-while-down.ts';
import { customValuesOf } from '../../accounts/sub-accounts/custom-values.ts';
import { mergeValuesOf } from '../../contacts/merge-values.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';
import { receiveEarlyReceipts } from '../../conversations/inbound/receive-receipt.ts';
import type { CampaignProvider, SendOutcome } from './campaign-provider.ts';
import type { MailingLease } from './lease.ts';
import type { ClaimedRecipient } from './claim-recipients.ts';
import type { GoingCampaign } from './find-next.ts';
import { lastly, settledBy } from './record-outcome.ts';
import { runSendLoop } from './send-loop.ts';
import { paceOf } from './token-bucket.ts';
import { linksOf, UNSUBSCRIBE } from '../compose/campaign-links.ts';
import { inFlightWindow } from './in-flight-window.ts';

/** A place in the queue is given back after that, for sub-accounts that wait. */
const WHILE_MS = 3_000;

interface MailingContext {
  readonly context: JobContext;
  readonly provider: CampaignProvider;
}

/** Why no mail of the channel goes. */
export interface Stuck {
  readonly errorCode: string;
}

/** Mails for one campaign for a while; answers what keeps all of its mails from going, if anything does. */
export async function mailBySmtp(
  view: View,
  { subAccountId, holder }: MailingLease,
  campaign: GoingCampaign,
  { context, provider }: MailingContext,
): Promise<Stuck | undefined> {
  const { signal, settings, log } = context;
  const startedAt = performance.now();
  let stuck: Stuck | undefined;
  let isReached = false;
  const send = await sender(view, campaign, { context, provider });
  await runSendLoop({
    subAccountId,
    campaignId: campaign.id,
    holder,
    rows: view.rows,
    bucket: paceOf(provider.ratePerSecond, startedAt),
    window: inFlightWindow(provider.connections),
    isOver: () => stuck !== undefined || signal.aborted || performance.now() - startedAt > WHILE_MS,
    onBug: (error) =>
      log.warn({ err: error, subAccountId }, 'a campaign mail ended with an error; this is a bug'),
    onNamed: (externalIds) => receiveEarly(subAccountId, externalIds, context),
    async mail(line) {
      const settled = await send(line);
      isReached ||= settled.result === 'sent' || settled.isUnreached !== true;
      const { attempts } = line;
      const outcome = lastly(settled, { attempts, isReached }, settings.sendRetries);
      if (outcome.result === 'stuck') {
        stuck = outcome;
      } else if (outcome.result === 'refused' && outcome.isDeadAddress) {
        await suppress(subAccountId, line.address, context);
      }
      return settledBy(line, outcome, settings.sendRetries);
    },
  });
  return stuck;
}

async function sender(
  view: View,
  campaign: GoingCampaign,
  { context: { tools, settings }, provider }: MailingContext,
): Promise<(line: ClaimedRecipient) => Promise<SendOutcome>> {
  const send = provider.compile(campaign);
  const customValues = await customValuesOf(view);
  const linkOf = linksOf(UNSUBSCRIBE, tools.secrets, settings.baseUrl);
  return async ({ id, email, contactEmail, firstName, lastName, phone, company }) => {
    const values = mergeValuesOf(
      { firstName, lastName, email: contactEmail, phone, company },
      customValues,
    );
    return send({
      id,
      email,
      values,
      unsubscribeUrl: linkOf({ subAccountId: view.subAccountId, id }),
    });
  };
}

/** A failure costs the entry in the ledger of consent alone, and the line itself says what happened. */
const suppress = (subAccountId: string, address: string, { transact, actor, log }: JobContext) =>
  transact(subAccountId, actor, async (work) => {
    await suppressAddress(work, { channel: 'email', address, reason: 'bounce' });
  }).catch((error: unknown) => log.warn({ err: error, subAccountId }, 'an address stays open'));

/** The bridge may report a bounce before its answer to the mail is stored. */
const receiveEarly = (
  subAccountId: string,
  externalIds: readonly string[],
  { transact, actor, log }: JobContext,
) =>
  retryWhileDown(() =>
    transact(subAccountId, actor, (work) => receiveEarlyReceipts(work, 'email', externalIds)),
  ).catch((error: unknown) => log.warn({ err: error, subAccountId }, 'early receipts not applied'));
