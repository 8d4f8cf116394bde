import { Fault, invalidField } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { HeldThread } from '../threads/conversation.store.ts';

/** How an address is written where the channel says; elsewhere it is the provider's own id. */
const FORMAT_OF: Partial<Record<Channel, 'email' | 'e164'>> = {
  email: 'email',
  gmail: 'email',
  sms: 'e164',
};

export function refuseAddress(channel: Channel, toAddress: string | undefined): void {
  const format = FORMATS[FORMAT_OF[channel] ?? ''];
  if (toAddress !== undefined && format && !format.test(toAddress)) {
    throw invalidField('/toAddress', format.says);
  }
}

/** Where the contact is reached by the channel; null where a provider may know it all the same. */
export async function recipientOf(work: Work, thread: HeldThread): Promise<string | null> {
  const format = FORMAT_OF[thread.channel];
  if (format === undefined) {
    return lastSender(work, thread);
  }
  const address = format === 'email' ? thread.email : thread.phone;
  if (address === null) {
    const lacking = format === 'email' ? 'email address' : 'phone number';
    throw invalidField('/toAddress', `is required: the contact has no ${lacking}`);
  }
  return address;
}

async function lastSender(work: Work, { contactId, channel }: HeldThread): Promise<string | null> {
  const values = [work.subAccountId, contactId, channel];
  const [last] = await work.rows<{ address: string }>(LAST_SENDER, values);
  return last?.address ?? null;
}

const LAST_SENDER = `select m.from_address as address
  from conversations v
  join messages m on m.sub_account_id = v.sub_account_id and m.conversation_id = v.id
  where v.sub_account_id = $1 and v.contact_id = $2 and v.channel = $3 and v.deleted_at is null
    and m.direction = 'inbound' and m.from_address is not null
  order by m.id desc limit 1`;

/** So long after a contact's last message the platform lets him be answered (spec "Limits"). */
const WINDOW_MS = 24 * 60 * 60 * 1_000;

/** Throws where the platform would refuse the message anyway; whom nobody knows is left to it. */
export async function refuseOutsideWindow(
  work: Work,
  { contactId, channel }: HeldThread,
  toAddress: string | null,
): Promise<void> {
  if (toAddress === null) {
    throw invalidField('/toAddress', `is required: the contact has not written by ${channel} yet`);
  }
  const values = [work.subAccountId, contactId, channel, toAddress];
  const [last] = await work.rows<{ at: Date }>(LAST_WORDS, values);
  if (last && work.now.getTime() - last.at.getTime() > WINDOW_MS) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the contact has not written by ${channel} in the last 24 hours, and no answer is taken after that`,
      { reason: 'outside_messaging_window' },
    );
  }
}

const LAST_WORDS = `select m.created_at as at
  from conversations v
  join messages m on m.sub_account_id = v.sub_account_id and m.conversation_id = v.id
  where v.sub_account_id = $1 and v.contact_id = $2 and v.channel = $3 and v.deleted_at is null
    and m.direction = 'inbound' and m.from_address = $4
  order by m.id desc limit 1`;
