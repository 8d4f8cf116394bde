import type { Work } from '#core/work.ts';
import { retryOnConflict } from '../../contacts/create-minimal-contact.ts';
import { answeredThread, joinThread } from '../threads/join-thread.ts';
import { addSender, findSender } from './find-sender.ts';
import type { InboundMessage } from './callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { externalName, lockNames, senderName } from './lock-names.ts';
import { messageReceived } from '../messages/message.events.ts';
import { applyOptOutKeyword } from './opt-out.ts';
import { visitorVerified } from '../threads/visitor-verified.ts';
import { V7Generator } from 'uuidv7';
import { insertInto } from '#core/schema/columns.ts';

/**
 * Stores an inbound message with its contact and thread, and emits its event. Returns its id. A message
 * whose external id is known on the channel changes nothing.
 */
export async function receiveMessage(
  work: Work,
  channel: Channel,
  given: InboundMessage,
): Promise<string> {
  const inbound = { ...given, from: given.from.trim() };
  const { externalId, from, bodyText, subject = null } = inbound;
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
  const messageId = insertInbound(work, { ...inbound, conversationId, channel, at });
  if (channel === 'sms') {
    await applyOptOutKeyword(work, inbound);
  }
  const said = { messageId, conversationId, channel, bodyText, fromAddress: from } as const;
  const isVerified = await visitorVerified(work, channel, conversationId);
  const data = { ...said, direction: 'inbound', visitorVerified: isVerified } as const;
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

interface Inbound extends InboundMessage {
  readonly conversationId: string;
  readonly channel: Channel;
  readonly at: Date;
}

/** The id is made from the message's time: lists are ordered by id, and a message may arrive late. */
function insertInbound(work: Work, inbound: Inbound): string {
  const { from, to = null, bodyHtml = null, subject = null, at } = inbound;
  const id = idAt(at);
  const row = {
    ...inbound,
    subAccountId: work.subAccountId,
    id,
    direction: 'inbound',
    bodyHtml,
    subject,
    status: 'delivered',
    fromAddress: from,
    toAddress: to,
    createdAt: at,
  };
  work.write(
    INSERT,
    MEMBERS.map((member) => row[member]),
  );
  work.audit(id);
  return id;
}

const MEMBERS = [
  'subAccountId',
  'id',
  'conversationId',
  'channel',
  'direction',
  'bodyText',
  'bodyHtml',
  'subject',
  'status',
  'fromAddress',
  'toAddress',
  'externalId',
  'createdAt',
] as const;

const INSERT = insertInto('messages', MEMBERS);

/** A generator of its own: going back in time would break the order of all other ids. */
const generator = new V7Generator();
generator.setRollbackAllowance(0);

const idAt = (time: Date): string => generator.generateOrResetWithTs(time.getTime()).toString();
