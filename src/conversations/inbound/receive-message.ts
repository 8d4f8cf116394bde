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
 * Takes in a message once and answers its id: whose it is, the thread it goes to, and the event. One
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
  const known = [work.subAccountId, channel, externalId];
  const [taken] = await work.rows<{ id: string }>(TAKEN, known);
  if (taken) {
    return taken.id;
  }
  const { contactId, tags } =
    (await findSender(work, channel, from)) ?? (await addSender(work, channel, inbound));
  // A caller with a key opened his thread this moment.
  retryOnConflict(work, 'conversations_current');
  const at = timeOf(inbound.timestamp, work.now);
  const answered = await answeredThread(work, contactId, channel, inbound);
  const coming = { contactId, channel, subject, answered, at };
  const conversationId = await joinThread(work, coming);
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

const TAKEN = `select id from messages
  where sub_account_id = $1 and channel = $2 and external_id = $3`;

/** As the provider tells it, never later than now. */
const timeOf = (told: string | number | undefined, now: Date): Date =>
  told === undefined
    ? now
    : new Date(Math.max(0, Math.min(new Date(told).getTime(), now.getTime())));

interface Inbound extends InboundMessage {
  readonly conversationId: string;
  readonly channel: Channel;
  readonly at: Date;
}

/** Lists go by id, so that a message stands where its time puts it, however late it came. */
export function insertInbound(work: Work, inbound: Inbound): string {
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

/** Not the generator of all other ids: going back in time would cost them their order. */
const generator = new V7Generator();
generator.setRollbackAllowance(0);

const idAt = (time: Date): string => generator.generateOrResetWithTs(time.getTime()).toString();
