import { memberScope } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { suppressionReason } from './suppression-reason.ts';
import { because, happened, type WhyAnswer, type WhyKind } from './why.ts';

interface MessageRow {
  readonly channel: Channel;
  readonly status: string;
  readonly direction: string;
  readonly isInternal: boolean;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly contactId: string;
  readonly createdAt: string;
  readonly failedAt: string | null;
}

const ENDED = new Set(['failed', 'bounced']);

/** A message by its id; or, since a skipped send leaves no message, the conversation it was for. */
export const whyMessage: WhyKind = {
  kind: 'message',
  summary: 'a message that failed, waits, or was skipped (by its conversation)',
  access: memberScope('conversations:read'),
  needs: [['id'], ['conversationId']],
  explain: (view, { id, conversationId }) =>
    id === undefined ? explainSend(view, conversationId) : explainMessage(view, id),
};

async function explainMessage(view: View, id: string): Promise<WhyAnswer> {
  const [message] = await view.rows<MessageRow>(MESSAGE, [view.subAccountId, id]);
  if (!message) {
    throw notFound('message');
  }
  const { channel, status, errorCode, errorMessage, createdAt, failedAt, contactId } = message;
  const record = { type: 'message', id };
  if (ENDED.has(status)) {
    const sentence = `The message ${status === 'bounced' ? 'bounced' : 'failed'}: ${errorMessage ?? errorCode ?? 'the provider gave no reason'}.`;
    const rule = errorCode ?? status;
    const suppressed =
      rule === 'dnd' ? await suppressionReason(view, contactId, channel) : undefined;
    return because({ rule, sentence, record, at: failedAt }, ...(suppressed ? [suppressed] : []));
  }
  if (message.isInternal) {
    const sentence = 'The message is an internal note: notes are not sent.';
    return because({ rule: 'internal_note', sentence, record, at: createdAt });
  }
  if (status === 'pending' && message.direction === 'outbound') {
    const suppressed = await suppressionReason(view, contactId, channel);
    const sentence =
      'The provider has not accepted the message yet; it is tried again. The log of the worker has the reason of each attempt, with the id of the message.';
    return because(suppressed ?? { rule: 'waiting', sentence, record, at: createdAt });
  }
  return happened({ rule: status, sentence: `The message is ${status}.`, record, at: createdAt });
}

async function explainSend(view: View, conversationId: string): Promise<WhyAnswer> {
  const [thread] = await view.rows<{ channel: Channel; contactId: string }>(THREAD, [
    view.subAccountId,
    conversationId,
  ]);
  if (!thread) {
    throw notFound('conversation');
  }
  const { channel, contactId } = thread;
  const suppressed = await suppressionReason(view, contactId, channel);
  if (suppressed) {
    return because(suppressed);
  }
  const at = view.now.toISOString();
  const record = { type: 'conversation', id: conversationId };
  if (channel !== 'live_chat' && (await carrierOf(view, channel)) === undefined) {
    const sentence = `No provider is set up for ${channel}.`;
    return because({ rule: 'channel_not_configured', sentence, record, at });
  }
  return happened({ rule: 'sendable', sentence: 'Messages can be sent here.', record, at });
}

/** Ids contain the time: the events of the message follow its id. */
const MESSAGE = `select m.channel, m.status, m.direction, m.is_internal as "isInternal",
    m.error_code as "errorCode", m.error_message as "errorMessage", v.contact_id as "contactId",
    ${isoText('m.created_at')} as "createdAt",
    (select ${isoText('e.occurred_at')} from (
       select id, contact_id, name, data, occurred_at from events where sub_account_id = $1
       union all select id, contact_id, name, data, occurred_at from outbox where sub_account_id = $1
     ) as e
     where e.id > m.id and e.contact_id = v.contact_id and e.name = 'message.failed'
       and e.data ->> 'messageId' = m.id::text limit 1) as "failedAt"
  from messages m
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  where m.sub_account_id = $1 and m.id = $2`;

const THREAD = `select channel, contact_id as "contactId" from conversations
  where sub_account_id = $1 and id = $2`;
