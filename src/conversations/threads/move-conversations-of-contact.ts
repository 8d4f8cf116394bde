import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { collisionsOf, type Thread } from './thread-collisions.ts';

/**
 * The conversations of a contact that became part of another go on as the other's. Where both had an
 * open one on a channel, the kept contact's stays open; by sms the two become one.
 */
export async function moveConversationsOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  const { subAccountId, now } = work;
  const contacts = [subAccountId, contactId, data.mergedContactId];
  const threads = await work.rows<Thread>(LOCK, contacts);
  const { closed, united } = collisionsOf(threads, data.mergedContactId);
  if (united) {
    const values = [subAccountId, united.from, united.into];
    await work.rows(MOVE_MESSAGES, values);
    await work.rows(UNITE, [...values, now]);
    await work.rows(DELETE, [subAccountId, united.from, now]);
  }
  if (closed.length > 0) {
    await work.rows(CLOSE, [subAccountId, closed]);
  }
  await work.rows(MOVE, [...contacts, now]);
}

const LOCK = `select id, contact_id as "contactId", channel, status from conversations
  where sub_account_id = $1 and contact_id in ($2, $3) and deleted_at is null
  order by id for update`;

const MOVE_MESSAGES = `update messages set conversation_id = $3
  where sub_account_id = $1 and conversation_id = $2`;

const UNITE = `update conversations kept
  set unread_count = kept.unread_count + other.unread_count,
    last_message_at = greatest(kept.last_message_at, other.last_message_at),
    status = case when other.status = 'open' then 'open' else kept.status end,
    updated_at = $4
  from conversations other
  where kept.sub_account_id = $1 and kept.id = $3
    and other.sub_account_id = $1 and other.id = $2`;

const DELETE = `update conversations set deleted_at = $3, updated_at = $3
  where sub_account_id = $1 and id = $2`;

const CLOSE = `update conversations set status = 'closed', unread_count = 0
  where sub_account_id = $1 and id = any($2::uuid[])`;

const MOVE = `update conversations set contact_id = $2, updated_at = $4
  where sub_account_id = $1 and contact_id = $3 and deleted_at is null`;
