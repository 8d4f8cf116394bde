import { Type } from 'typebox';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { invalidField, notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { CHANNELS } from '../contacts/channels.ts';
import { messageReply, writeMessage } from '../conversations/messages/write-message.ts';
import {
  messageCreate,
  messageSchema,
  skippedSchema,
  type MessageCreate,
} from '../conversations/messages/message.schema.ts';
import { openConversation } from '../conversations/threads/open-conversation.ts';
import type { Work } from '#core/work.ts';

const { channel: _channel, ...content } = messageCreate.properties;

const agentMessage = s.request({
  conversationId: Type.Optional(s.uuid({ description: 'to answer in a conversation' })),
  contactId: Type.Optional(s.uuid({ description: 'with channel, to start one' })),
  channel: Type.Optional(s.oneOf(CHANNELS)),
  ...content,
});

/** In the API, a conversation is opened before something is written in it. */
export const messageEndpoint = defineKeyedEndpoint({
  id: 'conversations.send',
  method: 'POST',
  path: '/mcp/messages',
  summary: 'Send a message to a contact, or leave a note',
  access: scope('conversations:write'),
  rate: 'write',
  agent: {
    tool: 'send_message',
    does: 'Sends a message to a customer, at once. Give conversationId to answer, or contactId and channel to start. With isInternal, leaves a note for the team instead. skipped in the result means that the contact does not want messages.',
    risk: 'tells',
    effects: async (_view, { id }) => (id === null ? {} : { messages: 1 }),
  },
  body: agentMessage,
  data: Type.Union([messageSchema, skippedSchema]),
  status: 201,
  otherStatus: 200,
  async write({ work, body }) {
    const { conversationId, contactId, channel, ...rest } = body;
    const thread = await threadOf(work, { conversationId, contactId, channel, rest });
    const input = { ...rest, channel: thread.channel };
    return messageReply(await writeMessage(work, thread.id, input));
  },
});

interface Addressee {
  readonly conversationId: string | undefined;
  readonly contactId: string | undefined;
  readonly channel: MessageCreate['channel'] | undefined;
  readonly rest: Pick<MessageCreate, 'subject'>;
}

/** Returns the conversation, which is opened if only the contact is named. */
async function threadOf(
  work: Work,
  { conversationId, contactId, channel, rest }: Addressee,
): Promise<{ readonly id: string; readonly channel: MessageCreate['channel'] }> {
  if (conversationId !== undefined) {
    if (contactId !== undefined) {
      throw invalidField('/contactId', 'cannot be combined with conversationId; give one of them');
    }
    const [found] = await work.rows<{ channel: MessageCreate['channel'] }>(CHANNEL, [
      work.subAccountId,
      conversationId,
    ]);
    if (!found) {
      throw notFound('conversation');
    }
    return { id: conversationId, channel: channel ?? found.channel };
  }
  if (contactId === undefined) {
    throw invalidField('/conversationId', 'is required, or contactId with channel');
  }
  if (channel === undefined) {
    throw invalidField('/channel', 'is required with contactId');
  }
  const { subject = null } = rest;
  const isMail = channel === 'email' || channel === 'gmail';
  const opened = await openConversation(work, {
    contactId,
    channel,
    ...(isMail && { subject }),
  });
  return { id: opened.id, channel };
}

const CHANNEL = `select channel from conversations
  where sub_account_id = $1 and id = $2 and deleted_at is null`;
