import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';
import type { ReadWatermark, Receipt } from './callback.schema.ts';
import { changeMessageStatus } from '../messages/change-message-status.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isMail } from '../threads/conversation.schema.ts';
import { externalName, lockNames } from './lock-names.ts';
import { mailBounced } from '../mail.events.ts';
import { namedMessage } from '../mailbox/mail-thread.ts';

/**
 * Applies a receipt and returns the id of its message; null for a mail of a campaign. If no message has
 * the external id yet, stores the receipt for it and returns null.
 */
export async function receiveReceipt(
  work: Work,
  channel: Channel,
  receipt: Receipt,
): Promise<string | null> {
  const { externalId, ...change } = receipt;
  await lockNames(work, [externalName(channel, externalId)]);
  const message = await findMessage(work, channel, externalId);
  if (message?.toAddress && isMail(channel) && isHardBounce(receipt)) {
    const { toAddress: address } = message;
    await suppressAddress(work, { channel: 'email', address, reason: 'bounce' });
  }
  if (message?.isNamed) {
    await changeMessageStatus(work, message.id, change);
    return message.id;
  }
  const mailId = message ? undefined : await findCampaignMail(work, channel, externalId);
  if (mailId === undefined) {
    storeReceipt(work, channel, receipt);
    return message?.id ?? null;
  }
  if (receipt.status === 'bounced' || receipt.status === 'failed') {
    const isHard = isHardBounce(receipt);
    const { errorCode = null, errorMessage = null } = receipt;
    const data = { mailId, isHard, errorCode, errorMessage };
    await work.emit(mailBounced, { contactId: null, data });
  }
  return null;
}

/** Applies receipts that arrived before the bridge's ids of campaign mails were stored. */
export async function receiveEarlyReceipts(
  work: Work,
  channel: Channel,
  externalIds: readonly string[],
): Promise<void> {
  // Waits for a transaction that found no mail with such an id and is about to store its receipt.
  await lockNames(
    work,
    externalIds.map((id) => externalName(channel, id)),
  );
  const early = await work.rows<Receipt>(TAKE_STORED, [work.subAccountId, channel, externalIds]);
  for (const receipt of early) {
    await receiveReceipt(work, channel, receipt);
  }
}

const TAKE_STORED = `with taken as (
    delete from message_receipts
    where sub_account_id = $1 and channel = $2 and external_id = any($3::text[])
    returning *
  )
  select external_id as "externalId", status, coalesce(error_code, '') as "errorCode",
    coalesce(error_message, '') as "errorMessage"
  from taken order by id`;

/** Finds the campaign mail of a receipt by its Message-ID or by the bridge's id. */
async function findCampaignMail(
  work: Work,
  channel: Channel,
  externalId: string,
): Promise<string | undefined> {
  if (!isMail(channel)) {
    return undefined;
  }
  const values = [work.subAccountId, namedMessage(externalId) ?? null, externalId];
  const [mail] = await work.rows<{ id: string }>(CAMPAIGN_MAIL, values);
  return mail?.id;
}

const CAMPAIGN_MAIL = `select id from campaign_recipients
  where sub_account_id = $1 and (id = $2::uuid or external_id = $3) limit 1`;

interface Message {
  readonly id: string;
  readonly toAddress: string | null;
  /** The provider's id of the message is stored. */
  readonly isNamed: boolean;
}

/** A mail is found by its Message-ID even before the server's reply is stored. */
async function findMessage(work: Work, channel: Channel, externalId: string) {
  const id = isMail(channel) ? (namedMessage(externalId) ?? null) : null;
  const values = [work.subAccountId, channel, externalId, id];
  const [message] = await work.rows<Message>(MESSAGE, values);
  return message;
}

const MESSAGE = `select id, to_address as "toAddress", external_id is not null as "isNamed"
  from messages
  where sub_account_id = $1 and channel = $2 and (external_id = $3 or id = $4::uuid)
    and direction = 'outbound'`;

/**
 * Whether the address is dead: the status concerns the address (5.1.x, contract 5), its mailbox (5.2.0,
 * 5.2.1) or is unspecific (5.0.x). Other codes concern the mail, a policy, a full mailbox or the route.
 */
const isHardBounce = ({ status, errorCode = '' }: Receipt): boolean =>
  status === 'bounced' && /^5\.(?:[01]\.\d{1,3}|2\.[01])$/.test(errorCode);

function storeReceipt(work: Work, channel: Channel, receipt: Receipt): void {
  const { subAccountId, now } = work;
  const { externalId, status, errorCode = null, errorMessage = null } = receipt;
  const values = [subAccountId, channel, externalId, newId(now), status, errorCode, errorMessage];
  work.write(STORE, [...values, now]);
}

const STORE = `insert into message_receipts
    (sub_account_id, channel, external_id, id, status, error_code, error_message, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (sub_account_id, channel, external_id, status) do nothing`;

/** A receipt covers at most this many messages of a thread. */
const LATEST = 200;

/** Marks all messages to an address up to a time as delivered or read. */
export async function applyReadReceipt(
  work: Work,
  channel: Channel,
  { from, at, status }: ReadWatermark,
): Promise<void> {
  const values = [work.subAccountId, channel, from, new Date(at)];
  const messages = await work.rows<{ id: string }>(UP_TO, values);
  for (const { id } of messages) {
    await changeMessageStatus(work, id, { status });
  }
}

/** Covers every conversation with the contact that writes from the address. */
const UP_TO = `select m.id
  from conversations v
  cross join lateral (
    select id, direction, is_internal, status, to_address, created_at from messages
    where sub_account_id = v.sub_account_id and conversation_id = v.id
    order by id desc limit ${LATEST}
  ) as m
  where v.sub_account_id = $1 and v.channel = $2 and v.deleted_at is null
    and v.contact_id = (
      select c.contact_id
      from messages i
      join conversations c on c.sub_account_id = i.sub_account_id and c.id = i.conversation_id
      where i.sub_account_id = $1 and i.channel = $2 and i.from_address = $3
        and i.direction = 'inbound'
      order by i.id desc limit 1
    )
    and m.direction = 'outbound' and not m.is_internal and m.status in ('sent', 'delivered')
    and m.to_address = $3 and m.created_at <= $4
  order by m.id`;
