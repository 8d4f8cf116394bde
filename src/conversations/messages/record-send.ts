import type { Work } from '#core/work.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';
import { changeMessageStatus, type StatusChange } from './change-message-status.ts';
import type { Channel } from '../../contacts/channels.ts';
import { sendMessage } from '../conversations.jobs.ts';
import { externalName, lockNames } from '../inbound/lock-names.ts';
import type { SendResult, Outgoing } from '../providers/provider.ts';

interface Tried {
  /** From 1. */
  readonly attempt: number;
  /** Until the next attempt; undefined after the last. */
  readonly waitMs: number | undefined;
  /** The address of the channel that it was sent from. */
  readonly fromAddress: string | null;
}

type SentMessage = Outgoing & { readonly channel: Channel };

/**
 * Records the result of an attempt: the message's status, or when it is tried again. A message whose
 * outcome is unknown is `failed`, which is final, and never sent again.
 */
export async function recordSend(
  work: Work,
  message: SentMessage,
  outcome: SendResult,
  { attempt, waitMs, fromAddress }: Tried,
): Promise<void> {
  const { subAccountId, now } = work;
  const { id: messageId, toAddress } = message;
  if (outcome.result === 'again' && waitMs !== undefined) {
    const payload = { subAccountId, messageId, attempt: attempt + 1 };
    const runAt = new Date(now.getTime() + waitMs);
    return work.enqueue(sendMessage, payload, { runAt, key: `${sendMessage.name}:${messageId}` });
  }
  if (outcome.result === 'refused' && outcome.isDeadAddress && toAddress !== null) {
    await suppressAddress(work, { channel: 'email', address: toAddress, reason: 'bounce' });
  }
  await changeMessageStatus(work, messageId, {
    fromAddress,
    ...(await changeBy(work, message, outcome)),
  });
}

async function changeBy(
  work: Work,
  message: SentMessage,
  outcome: SendResult,
): Promise<StatusChange> {
  if (outcome.result !== 'taken') {
    const { errorMessage } = outcome;
    const isUnknown = outcome.result === 'again' && outcome.mayBeAccepted === true;
    const errorCode = isUnknown ? 'outcome_unknown' : outcome.errorCode;
    return { status: 'failed', errorCode, errorMessage };
  }
  const { externalId, fromAddress, isUnderway = false } = outcome;
  // Before the message: whoever is told of it under that name holds them in this order, too.
  await lockNames(work, [externalName(message.channel, externalId)]);
  const values = [work.subAccountId, message.channel, externalId, message.id];
  const [other] = await work.rows(TAKEN, values);
  return other
    ? REPEATED
    : {
        status: isUnderway ? 'pending' : 'sent',
        externalId,
        ...(fromAddress !== undefined && { fromAddress }),
      };
}

/** An id that two messages share could tell of neither; to hand it over again would send it twice. */
const REPEATED = {
  status: 'failed',
  errorCode: 'invalid_answer',
  errorMessage: 'the provider gave the message an id that another one has',
} as const;

const TAKEN = `select 1 from messages
  where sub_account_id = $1 and channel = $2 and external_id = $3 and id <> $4`;
