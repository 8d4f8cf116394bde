import type { JobContext } from '#kit/job.ts';
import type { View } from '#kit/work.ts';
import { customValuesOf } from '../accounts/custom-values.ts';
import { mergeValuesOf } from '../contacts/merge-values.ts';
import { suppressAddress } from '../contacts/suppress-address.ts';
import type { ChannelSetup } from '../conversations/read-channel.ts';
import type { MailingTurn } from './campaign-turn.ts';
import { compileMail, envelopeOf, senderOfChannel } from './compile-mail.ts';
import type { ClaimedLine } from './exchange-lines.ts';
import type { GoingCampaign } from './find-next.ts';
import { lastly, settledBy } from './hand-over-line.ts';
import { LINES } from './lines-of.ts';
import { mailLines } from './mail-lines.ts';
import { paceOf } from './pace.ts';
import type { SmtpLines } from './smtp-lines.ts';
import type { SmtpOutcome } from './smtp-outcome.ts';
import { linksOf, UNSUBSCRIBE } from './signed-link.ts';
import { stockFor } from './stock.ts';

/** A place in the queue is given back after that, for sub-accounts that wait. */
const WHILE_MS = 3_000;

interface Means {
  readonly context: JobContext;
  /** Of a sandbox there are none: its mails are kept by the ledger. */
  readonly setup?: ChannelSetup;
  readonly lines?: SmtpLines;
}

/** Why no mail of the channel goes. */
export interface Stuck {
  readonly errorCode: string;
}

/** Mails for one campaign for a while; answers what keeps all of its mails from going, if anything does. */
export async function mailByLines(
  view: View,
  { subAccountId, turn }: MailingTurn,
  campaign: GoingCampaign,
  means: Means,
): Promise<Stuck | undefined> {
  const { signal, settings } = means.context;
  const rate = means.setup?.settings['ratePerSecond'];
  const startedAt = performance.now();
  let stuck: Stuck | undefined;
  let isReached = false;
  const send = await sender(view, campaign, means);
  await mailLines({
    subAccountId,
    campaignId: campaign.id,
    turn,
    rows: view.rows,
    pace: paceOf(typeof rate === 'number' ? rate : null, startedAt),
    stock: stockFor(LINES),
    isOver: () => stuck !== undefined || signal.aborted || performance.now() - startedAt > WHILE_MS,
    async mail(line) {
      const told = await send(line);
      isReached ||= told.result === 'sent' || told.isUnreached !== true;
      const { attempts } = line;
      const outcome = lastly(told, { attempts, isReached }, settings.sendRetries);
      if (outcome.result === 'stuck') {
        stuck = outcome;
      } else if (outcome.result === 'refused' && outcome.isDeadAddress) {
        await suppress(subAccountId, line.address, means.context);
      }
      return settledBy(line, outcome, settings.sendRetries);
    },
  });
  return stuck;
}

async function sender(
  view: View,
  campaign: GoingCampaign,
  { context, setup, lines }: Means,
): Promise<(line: ClaimedLine) => Promise<SmtpOutcome>> {
  if (!setup || !lines) {
    return () => Promise.resolve({ result: 'sent' });
  }
  const { tools, settings, clock } = context;
  const writer = senderOfChannel(setup, clock());
  const compiled = compileMail(campaign, writer);
  const customValues = await customValuesOf(view);
  const linkOf = linksOf(UNSUBSCRIBE, tools.secrets, settings.baseUrl);
  return async (line) => {
    const { id, email, contactEmail, firstName, lastName, phone, company } = line;
    const values = mergeValuesOf(
      { firstName, lastName, email: contactEmail, phone, company },
      customValues,
    );
    const unsubscribeUrl = linkOf({ subAccountId: view.subAccountId, id });
    const mail = compiled({ id, email, values, unsubscribeUrl });
    return lines.send(envelopeOf(writer, id, email), mail);
  };
}

/** A failure costs the entry in the ledger of consent alone, and the line itself says what happened. */
const suppress = (subAccountId: string, address: string, { transact, actor, log }: JobContext) =>
  transact(subAccountId, actor, async (work) => {
    await suppressAddress(work, { channel: 'email', address, reason: 'bounce' });
  }).catch((error: unknown) => log.warn({ err: error, subAccountId }, 'an address stays open'));
