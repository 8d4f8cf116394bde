import { performs, type JobContext } from '#kit/job.ts';
import type { View } from '#kit/work.ts';
import { changeMessageStatus, type StatusChange } from './change-message-status.ts';
import { carrierOf, type Carrier } from './channel-configuration.ts';
import type { Channel } from './conversation.shape.ts';
import { sendMessage } from './conversations.jobs.ts';
import { handOver, type Outgoing } from './hand-over.ts';
import type { MessageStatus } from './message-status.ts';
import { readChannel } from './read-channel.ts';
import { recordHandOver } from './record-hand-over.ts';

/** Done again after a crash, it goes on where it was: a status is reached once. */
export const performSendMessage = performs(
  sendMessage,
  async ({ subAccountId, messageId, attempt = 1 }, context) => {
    const view = context.openView(subAccountId, context.clock());
    const message = await readMessage(view, messageId);
    if (!message) {
      return;
    }
    const carrier = await carrierOf(view, message.channel);
    if (carrier !== undefined && !HOUSE_CARRIERS.has(carrier)) {
      return sendByProvider(view, message, { ...context, attempt });
    }
    for (const change of changesBy(carrier, message)) {
      await applyChange(view, message, change, context);
    }
  },
);

interface Message extends Outgoing {
  readonly channel: Channel;
  readonly status: MessageStatus;
}

async function readMessage(view: View, id: string): Promise<Message | undefined> {
  const [message] = await view.rows<Message>(MESSAGE, [view.subAccountId, id]);
  return message;
}

const MESSAGE = `select id, channel, status, to_address as "toAddress", subject,
    body_text as "bodyText", body_html as "bodyHtml"
  from messages where sub_account_id = $1 and id = $2`;

/** Those that are no provider. */
const HOUSE_CARRIERS: ReadonlySet<Carrier> = new Set(['sandbox', 'live_chat']);

/** `attempt` is that of handing the message over, not that of the job. */
async function sendByProvider(view: View, message: Message, context: JobContext): Promise<void> {
  if (message.status !== 'pending') {
    return;
  }
  const { tools, settings, signal, attempt } = context;
  const setup = await readChannel(view, tools.secrets, message.channel);
  if (!setup) {
    return applyChange(view, message, NOT_CONFIGURED, context);
  }
  const outcome = await handOver(setup, message, context);
  if (outcome.result === 'again') {
    // The worker stops: no attempt was made, and another worker makes it.
    signal.throwIfAborted();
  }
  const waitMs = settings.sendRetries[attempt - 1];
  await context.transact(view.subAccountId, context.actor, (work) =>
    recordHandOver(work, message, outcome, { attempt, waitMs }),
  );
}

const applyChange = (
  { subAccountId }: View,
  { id }: Message,
  change: StatusChange,
  { transact, actor }: JobContext,
): Promise<void> => transact(subAccountId, actor, (work) => changeMessageStatus(work, id, change));

/** What becomes of a message without a provider, one transaction after the other. */
function changesBy(carrier: Carrier | undefined, { id, status }: Message): StatusChange[] {
  if (carrier === 'sandbox') {
    return [{ status: 'sent', externalId: `sandbox-${id}` }, { status: 'delivered' }];
  }
  if (status !== 'pending') {
    return [];
  }
  return carrier === 'live_chat' ? [{ status: 'sent' }] : [NOT_CONFIGURED];
}

/** Its provider was taken away after the message had been accepted. */
const NOT_CONFIGURED = {
  status: 'failed',
  errorCode: 'channel_not_configured',
  errorMessage: 'no provider is set up for the channel',
} as const;
