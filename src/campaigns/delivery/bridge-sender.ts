import type { Outbound, OutboundAnswer, OutboundFailure } from '#core/outbound.ts';
import { mergedHtml, mergedSubject, mergedText } from '#lib/merge-fields.ts';
import { messageIdOf } from '../../conversations/mailbox/mail-thread.ts';
import { postToBridge } from '../../conversations/providers/bridge/send.ts';
import {
  PRIVATE_ADDRESS,
  isPassing,
  isTaken,
  externalIdIn,
  retryAfterOf,
} from '../../conversations/providers/http-outcome.ts';
import type { ChannelSetup } from '../../conversations/channels/channel.store.ts';
import type { SendOutcome } from './outcome.ts';
import {
  htmlOf,
  ONE_CLICK,
  textOf,
  UNSUBSCRIBE_FIELD,
  type Addressee,
  type CampaignWording,
} from '../compose/compile-mail.ts';

/** Statuses that refuse this mail only. Other 4xx refuse the channel: no mail would be sent. */
const ABOUT_THE_MAIL = new Set([400, 409, 413, 415, 422]);

interface BridgeContext {
  readonly outbound: Pick<Outbound, 'send'>;
  readonly baseUrl: string;
  readonly clock: () => Date;
}

/** Composes a campaign's mail once, and returns a function that posts it for one recipient. */
export function bridgeSender(
  setup: ChannelSetup,
  campaign: CampaignWording,
  { outbound, baseUrl, clock }: BridgeContext,
): (to: Addressee) => Promise<SendOutcome> {
  const html = htmlOf(campaign);
  const text = textOf(campaign);
  const { from } = setup.settings;
  const domain = domainOf(from) ?? new URL(baseUrl).hostname;
  return async ({ id, email, values: given, unsubscribeUrl }) => {
    const values = { ...given, [UNSUBSCRIBE_FIELD]: unsubscribeUrl };
    const answer = await postToBridge(setup, outbound, {
      messageId: id,
      to: email,
      from: from ?? null,
      subject: mergedSubject(campaign.subject, values),
      bodyText: mergedText(text, values),
      bodyHtml: mergedHtml(html, values),
      campaignId: campaign.id,
      headers: {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': ONE_CLICK,
        'Message-ID': messageIdOf(id, domain),
      },
    });
    return outcomeOf(answer, clock());
  };
}

const domainOf = (from: unknown): string | undefined =>
  typeof from === 'string' ? /@([^\s@<>]+)>?$/.exec(from.trim())?.[1] : undefined;

function outcomeOf(answer: OutboundAnswer | OutboundFailure, now: Date): SendOutcome {
  if ('failure' in answer) {
    const { failure: errorMessage, wasSent, isPrivate } = answer;
    if (isPrivate) {
      return { result: 'stuck', errorCode: PRIVATE_ADDRESS, errorMessage };
    }
    return wasSent
      ? { result: 'unknown', errorCode: 'outcome_unknown', errorMessage }
      : { result: 'again', errorCode: 'network', errorMessage, isUnreached: true };
  }
  const { status } = answer;
  const failure = { errorCode: String(status), errorMessage: `the bridge returned ${status}` };
  if (isTaken(status)) {
    const externalId = externalIdIn(answer);
    return externalId === undefined
      ? {
          result: 'unknown',
          errorCode: 'invalid_answer',
          errorMessage: 'the response of the bridge has no externalId',
        }
      : { result: 'sent', externalId };
  }
  if (isPassing(status)) {
    return { result: 'again', ...failure, retryAfterMs: retryAfterOf(answer, now) };
  }
  return { result: ABOUT_THE_MAIL.has(status) ? 'refused' : 'stuck', ...failure };
}
