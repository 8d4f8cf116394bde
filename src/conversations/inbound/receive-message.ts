import type { Work } from '#core/work.ts';
import { retryOnConflict } from '../../contacts/create-minimal-contact.ts';
import { addSender, findSender } from './find-sender.ts';
import type { InboundMessage } from './callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { inboundHtml, inboundText } from './inbound-body.ts';
import { insertInboundFiles } from './inbound-files.ts';
import { externalName, lockNames, senderName } from './lock-names.ts';
import { insertInboundMessage } from '../messages/insert-message.ts';
import { messageReceived } from '../messages/message.events.ts';
import { suppressAddress, unsuppressAddress } from '../../contacts/consent/suppressions.ts';
import { insertConversation, visitorVerified } from '../threads/conversation.store.ts';
import { namedMessage } from '../mailbox/mail-thread.ts';
import { isMail } from '../threads/conversation.schema.ts';

/**
 * Stores an inbound message with its contact and thread, and emits its event. Returns its id. A message
 * whose external id is known on the channel changes nothing.
 */
export async function receiveMessage(
  work: Work,
  channel: Channel,
  given: InboundMessage,
): Promise<string> {
  // Bodies of mails are clean already: the parser's thread spends the time that many controls take.
  const bodyText = inboundText(given.bodyText);
  const bodyHtml = inboundHtml(given.bodyHtml) ?? null;
  const inbound = { ...given, from: given.from.trim(), bodyText };
  const { externalId, from, subject = null } = inbound;
  await lockNames(work, [externalName(channel, externalId), senderName(from)]);
  const values = [work.subAccountId, channel, externalId];
  const [stored] = await work.rows<{ id: string }>(KNOWN, values);
  if (stored) {
    return stored.id;
  }
  const { contactId, tags } =
    (await findSender(work, channel, from)) ?? (await addSender(work, channel, inbound));
  // An API caller may open the thread at the same time.
  retryOnConflict(work, 'conversations_current');
  const at = timeOf(inbound.timestamp, work.now);
  const answered = await answeredThread(work, contactId, channel, inbound);
  const incoming = { contactId, channel, subject, answered, at };
  const conversationId = await joinThread(work, incoming);
  const messageId = insertInboundMessage(work, {
    conversationId,
    channel,
    bodyText,
    bodyHtml,
    subject,
    fromAddress: from,
    toAddress: inbound.to ?? null,
    externalId,
    createdAt: at,
    isUnproven:
      inbound.isUnproven === true && !(await answersUs(work, contactId, channel, inbound)),
  });
  if (channel === 'sms') {
    await applyOptOutKeyword(work, inbound);
  }
  const attachments = await insertInboundFiles(work, { messageId, channel }, inbound.attachments);
  const content = { messageId, conversationId, channel, bodyText, fromAddress: from } as const;
  const isVerified = await visitorVerified(work, channel, conversationId);
  const shown = { attachments, visitorVerified: isVerified };
  const data = { ...content, direction: 'inbound', ...shown } as const;
  await work.emit(messageReceived, { contactId, tags, data });
  return messageId;
}

const KNOWN = `select id from messages
  where sub_account_id = $1 and channel = $2 and external_id = $3`;

/** The provider's time, but never later than now. */
const timeOf = (time: string | number | undefined, now: Date): Date =>
  time === undefined
    ? now
    : new Date(Math.max(0, Math.min(new Date(time).getTime(), now.getTime())));

/**
 * Returns the contact's thread that a message replies to: by the address it was sent to, else by the
 * messages it refers to. Threads of other contacts do not count: the mail may have been forwarded.
 */
async function answeredThread(
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
  const [thread] = await work.rows<{ id: string }>(ANSWERED_THREAD, values);
  return thread?.id ?? null;
}

/** Outbound messages are found by their ids even before the provider's response is stored. */
const ANSWERED_THREAD = `select v.id
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

/** Whether it replies to a message that was sent to the contact: only its recipient knows the id. */
async function answersUs(
  work: Work,
  contactId: string,
  channel: Channel,
  { references = [], threadToken }: InboundMessage,
): Promise<boolean> {
  const ids = [...references.flatMap((name) => namedMessage(name) ?? []), threadToken ?? []].flat();
  const values = [work.subAccountId, contactId, channel, ids];
  return ids.length > 0 && (await work.rows(SENT_TO, values)).length > 0;
}

const SENT_TO = `select from messages m
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  where m.sub_account_id = $1 and m.id = any($4::uuid[]) and m.direction = 'outbound'
    and not m.is_internal and v.contact_id = $2 and v.channel = $3`;

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
async function joinThread(work: Work, message: IncomingMessage): Promise<string> {
  const { subAccountId, now } = work;
  const { contactId, channel, subject, answered, at } = message;
  const values = [subAccountId, contactId, channel, answered];
  const [thread] = await work.rows<{ id: string }>(CURRENT, values);
  if (!thread) {
    return insertConversation(work, {
      contactId,
      channel,
      subject: isMail(channel) ? subject : null,
      unreadCount: 1,
      lastMessageAt: at,
    });
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
  set status = 'open', is_archived = false, unread_count = unread_count + 1,
    last_message_at = greatest(last_message_at, $3), updated_at = $4
  where sub_account_id = $1 and id = $2`;

const OPT_OUT_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);
const OPT_IN_WORDS = new Set(['START', 'YES', 'UNSTOP']);

/**
 * Opts a phone out of sms, or in again, if the message is one of the keywords, in any case (contract 5),
 * or if the provider handled it as such. An opt-in lifts only what STOP set: YES is also a reply to a
 * reminder.
 */
async function applyOptOutKeyword(
  work: Work,
  { from: address, bodyText, consent }: InboundMessage,
): Promise<void> {
  const word = bodyText.trim().toUpperCase();
  if (consent === 'out' || OPT_OUT_WORDS.has(word)) {
    await suppressAddress(work, { channel: 'sms', address, reason: 'stop' });
  } else if (consent === 'in' || OPT_IN_WORDS.has(word)) {
    await unsuppressAddress(work, { channel: 'sms', address, reason: 'stop' });
  }
}
