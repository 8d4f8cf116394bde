import type { Work } from '#core/work.ts';
import type { InboundMessage } from '../inbound/callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { namedMessage } from '../mailbox/message-id.ts';
import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import { isMail } from './conversation.schema.ts';

/**
 * The thread of the contact that his message answers: by the address it went to, else by the
 * messages it names. Threads of others do not count, however well somebody knows what to name: he
 * may have been sent the mail on, or a copy of it.
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

/** Our own messages are known by their ids also before the provider's answer is stored. */
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

/** A message on its way into a thread of the contact who wrote it. */
interface Coming {
  readonly contactId: string;
  readonly channel: Channel;
  readonly subject: string | null;
  /** The thread of his that it answers, where that is known. */
  readonly answered: string | null;
  readonly at: Date;
}

/**
 * The thread that a message of the held contact goes to, with one more unread: his open one on the
 * channel, else the one that it answers or the latest, which is opened again, else a new one.
 */
export async function joinThread(work: Work, coming: Coming): Promise<string> {
  const { subAccountId, now } = work;
  const { contactId, channel, answered, at } = coming;
  const values = [subAccountId, contactId, channel, answered];
  const [thread] = await work.rows<{ id: string }>(CURRENT, values);
  if (!thread) {
    return newThread(work, coming);
  }
  work.write(JOIN, [subAccountId, thread.id, at, now]);
  return thread.id;
}

/** What a visitor says in his browser goes to that chat alone, and nothing else does. */
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

function newThread(work: Work, { contactId, channel, subject, at }: Coming): string {
  const { subAccountId, now } = work;
  const id = newId(now);
  const told = isMail(channel) ? subject : null;
  work.write(INSERT, [subAccountId, id, contactId, channel, 'open', told, 1, at, now, now]);
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
