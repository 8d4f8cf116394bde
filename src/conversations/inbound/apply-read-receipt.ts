import type { Work } from '#core/work.ts';
import type { ReadWatermark } from './callback.schema.ts';
import { changeMessageStatus } from '../messages/change-message-status.ts';
import type { Channel } from '../../contacts/channels.ts';

/** Of a thread's messages, so many of the latest are looked at. */
const LATEST = 200;

/** All that went to somebody up to a time got there, or was read: told once for all of it. */
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

/** In every conversation with the contact who writes from there. */
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
