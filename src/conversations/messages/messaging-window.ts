import { Fault, invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import type { HeldThread } from '../threads/lock-thread.ts';

/** So long after a contact's last message the platform lets him be answered (spec "Limits"). */
const WINDOW_MS = DAY_MS;

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
