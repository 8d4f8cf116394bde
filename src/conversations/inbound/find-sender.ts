import type { Work } from '#core/work.ts';
import { lockContactByEmail } from '../../contacts/find-by-email.ts';
import { isLiveByPhone } from '../../contacts/find-by-phone.ts';
import type { Channel } from '../../contacts/channels.ts';
import { createMinimalContact } from '../../contacts/create-minimal-contact.ts';
import { issuesOf } from '#core/schema/check.ts';
import * as s from '#core/schema/schema.ts';
import { isMail } from '../threads/conversation.schema.ts';

export interface Sender {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * Locks the live contact that writes from an address against other writers until the work ends, and
 * returns it. Looks twice for the reason given at `lockContactByEmail`.
 */
export async function findSender(
  work: Work,
  channel: Channel,
  from: string,
): Promise<Sender | undefined> {
  const kind = addressKind(channel, from);
  if (kind === 'email') {
    return lockContactByEmail(work, from, 'no key update');
  }
  const statement = kind === 'phone' ? BY_PHONE : BY_MESSAGE;
  const look = () => work.rows<Sender>(statement, [work.subAccountId, from, channel]);
  const [sender = (await look())[0]] = await look();
  return sender;
}

/** Of several contacts with the same phone, the one with the latest message on the channel. */
const BY_PHONE = `select c.id as "contactId", c.tags
  from contacts c
  where c.sub_account_id = $1 and c.deleted_at is null and ${isLiveByPhone('c.id', '$2')}
  order by (
    select max(v.last_message_at) from conversations v
    where v.sub_account_id = $1 and v.contact_id = c.id and v.channel = $3 and v.deleted_at is null
  ) desc nulls last, (c.phone = $2) desc nulls last, c.id
  limit 1 for no key update of c`;

const BY_MESSAGE = `select c.id as "contactId", c.tags
  from messages m
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  join contacts c on c.sub_account_id = v.sub_account_id and c.id = v.contact_id
  where m.sub_account_id = $1 and m.from_address = $2 and m.channel = $3
    and m.direction = 'inbound' and v.deleted_at is null and c.deleted_at is null
  order by m.id desc limit 1 for no key update of c`;

/** Creates the contact of a new sender, named by its address unless the sender gave a name. */
export function addSender(
  work: Work,
  channel: Channel,
  { from, contactName }: { readonly from: string; readonly contactName?: string },
): Promise<Sender> {
  const kind = addressKind(channel, from);
  return createMinimalContact(work, {
    ...(contactName !== undefined && { fullName: contactName }),
    address: from,
    source: channel,
    ...(kind !== 'other' && { [kind]: from }),
  });
}

const email = s.email();
const phone = s.phone();

/** The kind of a sender's address: a short code or a provider's id is neither phone nor email. */
function addressKind(channel: Channel, address: string): 'email' | 'phone' | 'other' {
  if (isMail(channel) && issuesOf(email, address).length === 0) {
    return 'email';
  }
  return channel === 'sms' && issuesOf(phone, address).length === 0 ? 'phone' : 'other';
}
