import type { Work } from '#core/work.ts';
import type { InboundMessage } from '../inbound/callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { namedMessage } from '../mailbox/message-id.ts';
import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import { isMail } from './conversation.schema.ts';

/**
 * Returns the contact's thread that a message replies to: by the address it was sent to, else by the
 * messages it refers to. Threads of other contacts do not count: the mail may have been forwarded.
 */
export async function answeredThread(
  work: Work,
  contactId: string,
  channel: Channel,
  { references = [], threadToken }: InboundMessage,
): Promise<string | null> {
  if (references.length === 0 && threadToken === undefined) {
    return null;
  }
  const ids = references.flatMap((name) => namedMessage(name) ?? []);
  const values = [work.subAccountId, contactId, channel, threadToken ?? null, ids, references];
  const [thread] = await work.rows<{ id: string }>(ANSWERED, values);
  return thread?.id ?? null;
}

/** Outbound messages are found by their ids even before the provider's response is stored. */
const ANSWERED = `select v.id
  from (
    select id, conversation_id from messages
    where sub_account_id = $1 and (id = $4::uuid or id = any($5::uuid[]))
    union
    select id, conversation_id from messages
    where sub_account_id = $1 and channel = $3 and external_id = any($6::text[])
  ) as m
  join conversations v on v.sub_account_id = $1 and v.id = m.conversation_id
  where v.contact_id = $2 and v.channel = $3 and v.deleted_at is null
  order by m.id is not distinct from $4::uuid desc, m.id desc limit 1`;

/** An inbound message and its contact. */
interface IncomingMessage {
  readonly contactId: string;
  readonly channel: Channel;
  readonly subject: string | null;
  /** The contact's thread that it replies to, if known. */
  readonly answered: string | null;
  readonly at: Date;
}

/**
 * Returns the thread of an inbound message and counts the message as unread: the contact's open thread on
 * the channel; else the thread it replies to, or the latest one, which is reopened; else a new thread.
 */
export async function joinThread(work: Work, message: IncomingMessage): Promise<string> {
  const { subAccountId, now } = work;
  const { contactId, channel, answered, at } = message;
  const values = [subAccountId, contactId, channel, answered];
  const [thread] = await work.rows<{ id: string }>(CURRENT, values);
  if (!thread) {
    return newThread(work, message);
  }
  work.write(JOIN, [subAccountId, thread.id, at, now]);
  return thread.id;
}

/** Chats of the widget are left out: they hold only messages of their visitor. */
const CURRENT = `select id from conversations
  where sub_account_id = $1 and contact_id = $2 and channel = $3 and deleted_at is null
    and not exists (
      select from chat_sessions s
      where s.sub_account_id = $1 and s.conversation_id = conversations.id
    )
  order by status = 'open' desc, id is not distinct from $4::uuid desc,
    coalesce(last_message_at, created_at) desc, id desc
  limit 1 for no key update`;

const JOIN = `update conversations
  set status = 'open', unread_count = unread_count + 1,
    last_message_at = greatest(last_message_at, $3), updated_at = $4
  where sub_account_id = $1 and id = $2`;

function newThread(work: Work, { contactId, channel, subject, at }: IncomingMessage): string {
  const { subAccountId, now } = work;
  const id = newId(now);
  const mailSubject = isMail(channel) ? subject : null;
  work.write(INSERT, [subAccountId, id, contactId, channel, 'open', mailSubject, 1, at, now, now]);
  return id;
}

const INSERT = insertInto('conversations', [
  'subAccountId',
  'id',
  'contactId',
  'channel',
  'status',
  'subject',
  'unreadCount',
  'lastMessageAt',
  'createdAt',
  'updatedAt',
]);
