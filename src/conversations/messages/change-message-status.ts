import type { EventType } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { externalName, lockNames } from '../inbound/lock-names.ts';
import { canBecome, type MessageStatus } from './message.schema.ts';
import { messageDelivered, messageFailed, messageSent } from './message.events.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';

/**
 * Applies a status that is ahead of the current one; otherwise nothing is written and no event fires.
 * Once the provider's id is known, receipts that arrived before it are applied, too.
 */
export async function changeMessageStatus(
  work: Work,
  messageId: string,
  change: StatusChange,
): Promise<void> {
  const { subAccountId } = work;
  const [message] = await work.rows<Message>(LOCK, [subAccountId, messageId]);
  if (!message || !(canBecome(message.status, change.status) || getsId(message, change))) {
    return;
  }
  const { conversationId, channel, contactId, tags } = message;
  const { status, fromAddress = null, errorCode = null, errorMessage = null } = change;
  const externalId = change.externalId ?? message.externalId;
  const values = [subAccountId, messageId, status, externalId, errorCode, errorMessage];
  await work.rows(CHANGE, [...values, fromAddress]);
  const type = eventOf(message.status, status);
  if (type) {
    const data = { messageId, conversationId, channel, status, externalId };
    await work.emit(type, { contactId, tags, data });
  }
  await applyCarrierOptOut(work, message, change);
  if (externalId !== null && externalId !== message.externalId) {
    await applyStoredReceipts(work, messageId, { channel, externalId });
  }
}

interface Message {
  readonly conversationId: string;
  readonly channel: Channel;
  readonly status: MessageStatus;
  readonly externalId: string | null;
  readonly toAddress: string | null;
  readonly contactId: string;
  readonly tags: readonly string[];
}

/** The provider accepted the message and reports its status later. */
const getsId = (message: Message, { status, externalId }: StatusChange): boolean =>
  message.status === 'pending' &&
  status === 'pending' &&
  message.externalId === null &&
  externalId !== undefined;

/** Locks the message first and joins then: a merge may move it to another thread meanwhile. */
const LOCK = `with m as materialized (
    select conversation_id, channel, status, external_id, to_address from messages
    where sub_account_id = $1 and id = $2
    for no key update
  )
  select m.conversation_id as "conversationId", m.channel, m.status,
    m.external_id as "externalId", m.to_address as "toAddress", v.contact_id as "contactId", c.tags
  from m
  join conversations v on v.sub_account_id = $1 and v.id = m.conversation_id
  join contacts c on c.sub_account_id = $1 and c.id = v.contact_id`;

const CHANGE = `update messages
  set status = $3, external_id = $4, error_code = $5, error_message = $6,
    from_address = coalesce($7, from_address)
  where sub_account_id = $1 and id = $2`;

/** The lock waits for a transaction that is storing a receipt of this id. */
async function applyStoredReceipts(
  work: Work,
  messageId: string,
  { channel, externalId }: { readonly channel: Channel; readonly externalId: string },
): Promise<void> {
  await lockNames(work, [externalName(channel, externalId)]);
  const values = [work.subAccountId, channel, externalId];
  for (const receipt of await work.rows<StatusChange>(TAKE_STORED, values)) {
    await changeMessageStatus(work, messageId, receipt);
  }
}

const TAKE_STORED = `with taken as (
    delete from message_receipts
    where sub_account_id = $1 and channel = $2 and external_id = $3
    returning id, status, error_code, error_message
  )
  select status, error_code as "errorCode", error_message as "errorMessage" from taken order by id`;

/** A read message was delivered: the event fires once. */
function eventOf(from: MessageStatus, to: MessageStatus): EventType | undefined {
  switch (to) {
    case 'sent':
      return messageSent;
    case 'delivered':
      return messageDelivered;
    case 'read':
      return from === 'delivered' ? undefined : messageDelivered;
    case 'failed':
    case 'bounced':
      return messageFailed;
    case 'pending':
      return undefined;
  }
}

/** A status that a provider reports. */
export interface StatusChange {
  readonly status: MessageStatus;
  readonly externalId?: string;
  /** The sender's address, if the provider chose it. */
  readonly fromAddress?: string | null;
  readonly errorCode?: string | null;
  readonly errorMessage?: string | null;
}

/** Twilio's error code for a phone that opted out at its carrier. */
const STOPPED = '21610';

/** Suppresses a phone that opted out at its carrier. */
async function applyCarrierOptOut(
  work: Work,
  { channel, toAddress }: { readonly channel: Channel; readonly toAddress: string | null },
  { status, errorCode }: StatusChange,
): Promise<void> {
  if (channel === 'sms' && status === 'failed' && errorCode === STOPPED && toAddress !== null) {
    await suppressAddress(work, { channel, address: toAddress, reason: 'stop' });
  }
}
