import { Fault, invalidField } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { LockedThread } from '../threads/conversation.store.ts';

/** The format of addresses; on other channels they are ids of the provider. */
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

/** Returns the contact's address on the channel; null if only the provider may know it. */
export async function recipientOf(work: Work, thread: LockedThread): Promise<string | null> {
  const format = FORMAT_OF[thread.channel];
  if (format === undefined) {
    return lastSender(work, thread);
  }
  const address = format === 'email' ? thread.email : thread.phone;
  if (address === null) {
    const missing = format === 'email' ? 'email address' : 'phone number';
    throw invalidField('/toAddress', `is required: the contact has no ${missing}`);
  }
  return address;
}

async function lastSender(
  work: Work,
  { contactId, channel }: LockedThread,
): Promise<string | null> {
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

/** How long after a contact's last message the platform accepts replies (spec "Limits"). */
const WINDOW_MS = 24 * 60 * 60 * 1_000;

/** Throws if the platform would refuse the message. Unknown recipients are left to the platform. */
export async function refuseOutsideWindow(
  work: Work,
  { contactId, channel }: LockedThread,
  toAddress: string | null,
): Promise<void> {
  if (toAddress === null) {
    throw invalidField('/toAddress', `is required: the contact has not written by ${channel} yet`);
  }
  const values = [work.subAccountId, contactId, channel, toAddress];
  const [last] = await work.rows<{ at: Date }>(LAST_INBOUND, values);
  if (last && work.now.getTime() - last.at.getTime() > WINDOW_MS) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the contact has not written by ${channel} in the last 24 hours; ${channel} allows replies only within this time`,
      { reason: 'outside_messaging_window' },
    );
  }
}

const LAST_INBOUND = `select m.created_at as at
  from conversations v
  join messages m on m.sub_account_id = v.sub_account_id and m.conversation_id = v.id
  where v.sub_account_id = $1 and v.contact_id = $2 and v.channel = $3 and v.deleted_at is null
    and m.direction = 'inbound' and m.from_address = $4
  order by m.id desc limit 1`;
