import type { Work } from '#kit/work.ts';
import { suppressAddress } from '../contacts/suppress-address.ts';
import { changeMessageStatus, type StatusChange } from './change-message-status.ts';
import type { Channel } from './conversation.shape.ts';
import { sendMessage } from './conversations.jobs.ts';
import { externalName, holdNames } from './hold-names.ts';
import type { HandedOver, Outgoing } from './hand-over.ts';

interface Tried {
  /** From 1. */
  readonly attempt: number;
  /** Until the next attempt; undefined after the last. */
  readonly waitMs: number | undefined;
}

type Sent = Outgoing & { readonly channel: Channel };

/** Writes down what came of handing a message over: its status, or when it is tried again. */
export async function recordHandOver(
  work: Work,
  message: Sent,
  outcome: HandedOver,
  { attempt, waitMs }: Tried,
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
  await changeMessageStatus(work, messageId, await changeBy(work, message, outcome));
}

async function changeBy(work: Work, message: Sent, outcome: HandedOver): Promise<StatusChange> {
  if (outcome.result !== 'taken') {
    const { errorCode, errorMessage } = outcome;
    return { status: 'failed', errorCode, errorMessage };
  }
  const { externalId, isUnderway = false } = outcome;
  // Before the message: whoever is told of it under that name holds them in this order, too.
  await holdNames(work, [externalName(message.channel, externalId)]);
  const values = [work.subAccountId, message.channel, externalId, message.id];
  const [other] = await work.rows(TAKEN, values);
  return other ? REPEATED : { status: isUnderway ? 'pending' : 'sent', externalId };
}

/** An id that two messages share could tell of neither; to hand it over again would send it twice. */
const REPEATED = {
  status: 'failed',
  errorCode: 'invalid_answer',
  errorMessage: 'the provider gave the message an id that another one has',
} as const;

const TAKEN = `select 1 from messages
  where sub_account_id = $1 and channel = $2 and external_id = $3 and id <> $4`;
