import { performs } from '#kit/job.ts';
import type { View } from '#kit/work.ts';
import { changeMessageStatus, type StatusChange } from './change-message-status.ts';
import { carrierOf, type Carrier } from './channel-configuration.ts';
import type { Channel } from './conversation.shape.ts';
import { sendMessage } from './conversations.jobs.ts';
import type { MessageStatus } from './message-status.ts';

/** Done again after a crash, it goes on where it was: a status is reached once. */
export const performSendMessage = performs(
  sendMessage,
  async ({ subAccountId, messageId }, { openView, clock, transact, actor }) => {
    const view = openView(subAccountId, clock());
    const message = await readMessage(view, messageId);
    if (!message) {
      return;
    }
    for (const change of changesBy(await carrierOf(view, message.channel), message)) {
      await transact(subAccountId, actor, (work) => changeMessageStatus(work, messageId, change));
    }
  },
);

interface Message {
  readonly id: string;
  readonly channel: Channel;
  readonly status: MessageStatus;
}

async function readMessage(view: View, id: string): Promise<Message | undefined> {
  const [message] = await view.rows<Message>(MESSAGE, [view.subAccountId, id]);
  return message;
}

const MESSAGE = 'select id, channel, status from messages where sub_account_id = $1 and id = $2';

/** What becomes of the message, one transaction after the other. */
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
