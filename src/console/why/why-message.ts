import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import type { WhyLanguage } from './language.ts';
import { messageFate } from './message-fate.ts';
import { suppressionReason } from './suppression-reason.ts';
import { because, happened, type WhyAnswer, type WhyKind } from './why.ts';

/** A message by its id; or, since a skipped send leaves no message, the conversation it was for. */
export const whyMessage: WhyKind = {
  kind: 'message',
  summary: 'a message that failed, waits, or was skipped (by its conversation)',
  access: memberScope('conversations:read'),
  needs: [['id'], ['conversationId']],
  async explain(view, { id, conversationId }, language) {
    if (id === undefined) {
      return explainSend(view, conversationId, language);
    }
    const { isSent, reasons } = await messageFate(view, id, language);
    return isSent ? happened(...reasons) : because(...reasons);
  },
};

async function explainSend(
  view: View,
  conversationId: string,
  language: WhyLanguage,
): Promise<WhyAnswer> {
  const [thread] = await view.rows<{ channel: Channel; contactId: string }>(THREAD, [
    view.subAccountId,
    conversationId,
  ]);
  if (!thread) {
    throw notFound('conversation');
  }
  const { channel, contactId } = thread;
  const { channels, noProvider, message } = language.messages;
  const suppressed = await suppressionReason(view, contactId, channel, language);
  if (suppressed) {
    return because(suppressed);
  }
  const at = view.now.toISOString();
  const record = { type: 'conversation', id: conversationId };
  if (channel !== 'live_chat' && (await carrierOf(view, channel)) === undefined) {
    const sentence = noProvider(channels[channel]);
    return because({ rule: 'channel_not_configured', sentence, record, at });
  }
  return happened({ rule: 'sendable', sentence: message.canSend, record, at });
}

const THREAD = `select channel, contact_id as "contactId" from conversations
  where sub_account_id = $1 and id = $2`;
