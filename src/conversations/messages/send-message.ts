import { type StatusChange, changeMessageStatus } from './change-message-status.ts';
import {
  suppressAddress,
  isSuppressed,
  optedOut,
  type Suppression,
} from '../../contacts/consent/suppressions.ts';
import { handle, keyOf, type JobContext } from '#core/job.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { waitAfter } from '#lib/retry-wait.ts';
import type { View, Work } from '#core/work.ts';
import { retryWhileDown } from '#platform/database/database-errors.ts';
import { isFinal, isInterruption } from '#platform/queue/give-up.ts';
import {
  carrierOf,
  isProvider,
  readChannel,
  type Carrier,
  senderAddress,
} from '../channels/channel.store.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isMail } from '../threads/conversation.schema.ts';
import { sendMessage } from '../conversations.jobs.ts';
import type { Outgoing, SendResult } from '../providers/provider.ts';
import { sendVia } from '../providers/send.ts';
import { mailThreadOf } from '../mailbox/mail-thread.ts';
import { logSendFailure } from './log-send-failure.ts';
import { outgoingFiles } from './outgoing-files.ts';
import {
  BROKEN,
  ENDED_WORKERS,
  FILE_MISSING,
  GONE,
  NOT_CONFIGURED,
  OPTED_OUT,
  UNRECORDED,
} from './send-failures.ts';
import { IS_BEHIND, type Place, readInOrder } from './send-order.ts';
import type { MessageStatus } from './message.schema.ts';
import { externalName, lockNames } from '../inbound/lock-names.ts';

/**
 * Safe to run again after a crash: a status is reached once. After repeated unexpected errors the message
 * is `failed`, instead of `pending` forever.
 */
export const handleSendMessage = handle(
  sendMessage,
  async ({ subAccountId, messageId, attempt = 1, queuedAt }, context) => {
    const view = context.openView(subAccountId, context.clock());
    try {
      await sendOnce(messageId, {
        view,
        attempt,
        queuedAt: queuedAt ?? context.queuedAt.getTime(),
        context,
      });
    } catch (error) {
      if (!isFinal(error, context)) {
        throw error;
      }
      context.log.warn({ err: error, subAccountId, messageId }, 'message failed: this is a bug');
      await applyChange(view, { id: messageId }, BROKEN, context);
    }
  },
  ({ subAccountId, messageId: id }, context) =>
    applyChange({ subAccountId }, { id }, ENDED_WORKERS, context),
);

async function sendOnce(messageId: string, place: Place): Promise<void> {
  const { view, attempt, context } = place;
  const message = await readInOrder(() => readMessage(view, messageId), place);
  if (!message) {
    return;
  }
  const reason = isWaiting(message) ? reasonAgainst(message) : undefined;
  if (reason) {
    return applyChange(view, message, reason, context);
  }
  const carrier = await carrierOfMessage(view, message);
  if (isProvider(carrier)) {
    return sendByProvider(view, message, { ...context, attempt });
  }
  for (const change of changesBy(carrier, message)) {
    await applyChange(view, message, change, context);
  }
}

interface Message extends Outgoing, Suppression {
  readonly channel: Channel;
  readonly status: MessageStatus;
  readonly externalId: string | null;
  readonly readAt: Date;
  /** An earlier message of its conversation waits to be sent. */
  readonly isBehind: boolean;
  /** A message of the chat widget, which the visitor reads there. */
  readonly isOfWidget: boolean;
  /** Its conversation or sub-account was deleted. */
  readonly isGone: boolean;
}

/** Returns why an accepted message must not be sent any more. */
function reasonAgainst(message: Message): StatusChange | undefined {
  if (message.isGone) {
    return GONE;
  }
  return isSuppressed(message) ? OPTED_OUT : undefined;
}

async function carrierOfMessage(view: View, { channel, isOfWidget }: Message) {
  const carrier = await carrierOf(view, channel);
  return isOfWidget && isProvider(carrier) ? 'live_chat' : carrier;
}

async function readMessage(view: View, id: string): Promise<Message | undefined> {
  const [message] = await view.rows<Message>(MESSAGE, [view.subAccountId, id]);
  return message;
}

const MESSAGE = `select m.id, m.conversation_id as "conversationId", m.channel, m.status,
    m.external_id as "externalId", m.to_address as "toAddress", m.subject,
    m.body_text as "bodyText", m.body_html as "bodyHtml", m.attachment, now() as "readAt",
    case when m.is_auto_reply then 'auto-replied' end as "autoSubmitted",
    m.status = 'pending' and m.external_id is null and ${IS_BEHIND} as "isBehind",
    exists (
      select from chat_sessions s where s.sub_account_id = $1 and s.conversation_id = v.id
    ) as "isOfWidget",
    v.deleted_at is not null or a.deleted_at is not null as "isGone",
    c.dnd, ${optedOut('lower(m.to_address)')} as "isOptedOut"
  from messages m
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  join contacts c on c.sub_account_id = v.sub_account_id and c.id = v.contact_id
  join sub_accounts a on a.id = m.sub_account_id
  where m.sub_account_id = $1 and m.id = $2`;

/** Whether no provider has accepted the message yet: an accepted one has the provider's id. */
const isWaiting = ({ status, externalId }: Message): boolean =>
  status === 'pending' && externalId === null;

/** `attempt` counts attempts to send, not runs of the job. */
async function sendByProvider(view: View, message: Message, context: JobContext): Promise<void> {
  if (!isWaiting(message)) {
    return;
  }
  const { tools, settings, signal, attempt } = context;
  const setup = await readChannel(view, tools.secrets, message.channel);
  if (!setup) {
    return applyChange(view, message, NOT_CONFIGURED, context);
  }
  const callbackUrl = callbackUrlOf(settings.baseUrl, view, message.channel);
  const files = await outgoingFiles(view, message, { setup, context });
  if (files === undefined) {
    return applyChange(view, message, FILE_MISSING, context);
  }
  const complete = { ...(await threaded(view, message)), files };
  const outcome = await sendVia(setup, complete, { ...context, callbackUrl });
  if (outcome.result === 'again') {
    // The worker stops: another worker makes the attempt.
    signal.throwIfAborted();
  }
  const fromAddress = senderAddress(message.channel, setup.provider, setup.settings);
  const isUnsent = outcome.result === 'again' && outcome.hadNoConnection === true;
  const made = isUnsent ? attempt - 1 : attempt;
  const waitMs = isUnsent ? NO_CONNECTION_WAIT_MS : waitOf(outcome, settings.sendRetries, attempt);
  // If the result were lost, the message would be sent twice.
  await retryWhileDown(() =>
    context.transact(view.subAccountId, context.actor, (work) =>
      recordSend(work, message, outcome, { attempt: made, waitMs, fromAddress }),
    ),
  ).catch((error: unknown) => {
    if (outcome.result !== 'taken' || isInterruption(error, context)) {
      throw error;
    }
    context.log.warn({ err: error, messageId: message.id }, 'outcome not stored: this is a bug');
    return applyChange(view, message, UNRECORDED, context);
  });
  logSendFailure(context, { subAccountId: view.subAccountId, message, outcome, waitMs });
}

const callbackUrlOf = (baseUrl: string, { subAccountId }: View, channel: Channel): string =>
  `${baseUrl}/webhooks/provider/${subAccountId}/${channel}`;

/** After all connections to the provider were in use. */
const NO_CONNECTION_WAIT_MS = 5 * SECOND_MS;

/** The middle of the jitter range. */
const NO_JITTER = 0.5;

function waitOf(outcome: SendResult, steps: readonly number[], attempt: number) {
  const retryAfterMs = outcome.result === 'again' ? outcome.retryAfterMs : undefined;
  return waitAfter({ attempt, steps, retryAfterMs, random: NO_JITTER });
}

async function threaded(view: View, message: Message): Promise<Message> {
  const { id, conversationId, channel } = message;
  const thread = isMail(channel) ? await mailThreadOf(view, conversationId, id) : undefined;
  return { ...message, ...(thread && { thread }) };
}

const applyChange = (
  { subAccountId }: Pick<View, 'subAccountId'>,
  { id }: Pick<Message, 'id'>,
  change: StatusChange,
  { transact, actor }: JobContext,
): Promise<void> => transact(subAccountId, actor, (work) => changeMessageStatus(work, id, change));

/** The status changes of a message without a provider, one transaction each. */
function changesBy(carrier: Carrier | undefined, message: Message): StatusChange[] {
  const { id, status } = message;
  if (carrier === 'sandbox') {
    return [{ status: 'sent', externalId: `sandbox-${id}` }, { status: 'delivered' }];
  }
  if (status !== 'pending') {
    return [];
  }
  if (carrier === 'live_chat') {
    return [{ status: 'sent' }];
  }
  return isWaiting(message) ? [NOT_CONFIGURED] : [];
}

interface Attempt {
  /** From 1. */
  readonly attempt: number;
  /** Time until the next attempt; undefined after the last one. */
  readonly waitMs: number | undefined;
  /** The channel's address that it was sent from. */
  readonly fromAddress: string | null;
}

type SentMessage = Outgoing & { readonly channel: Channel };

/**
 * Records the result of an attempt: the message's status, or when it is tried again. A message whose
 * outcome is unknown is `failed`, which is final, and never sent again.
 */
async function recordSend(
  work: Work,
  message: SentMessage,
  outcome: SendResult,
  { attempt, waitMs, fromAddress }: Attempt,
): Promise<void> {
  const { subAccountId } = work;
  const { id: messageId, toAddress } = message;
  if (outcome.result === 'again' && waitMs !== undefined) {
    const payload = { subAccountId, messageId, attempt: attempt + 1 };
    return work.enqueue(sendMessage, payload, { waitMs, key: keyOf(sendMessage, payload) });
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
    const externalId = outcome.result === 'refused' ? outcome.externalId : undefined;
    const isNamed = externalId !== undefined && !(await isOfAnother(work, message, externalId));
    return { status: 'failed', errorCode, errorMessage, ...(isNamed && { externalId }) };
  }
  const { externalId, fromAddress, isUnderway = false } = outcome;
  return (await isOfAnother(work, message, externalId))
    ? DUPLICATE_ID
    : {
        status: isUnderway ? 'pending' : 'sent',
        externalId,
        ...(fromAddress !== undefined && { fromAddress }),
      };
}

/** Returns whether another message has this id. Locks the id against receipts and other attempts. */
async function isOfAnother(work: Work, message: SentMessage, externalId: string): Promise<boolean> {
  // Before the row of the message: receipts take the two locks in this order, too.
  await lockNames(work, [externalName(message.channel, externalId)]);
  const values = [work.subAccountId, message.channel, externalId, message.id];
  return (await work.rows(OTHER_WITH_ID, values)).length > 0;
}

/** A shared id identifies neither message, and another attempt would send the message twice. */
const DUPLICATE_ID = {
  status: 'failed',
  errorCode: 'invalid_answer',
  errorMessage: 'the provider gave the message the id of another message',
} as const;

const OTHER_WITH_ID = `select 1 from messages
  where sub_account_id = $1 and channel = $2 and external_id = $3 and id <> $4`;
