import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import type { Conversation } from './conversation.entity.ts';

/** Deletes the conversations of a deleted contact with their files; the texts of messages stay. */
export async function deleteConversationsOfContact(
  work: Work,
  { contactId }: Occurrence<object>,
): Promise<void> {
  work.write(DELETE_FILES, [work.subAccountId, contactId]);
  work.write(DELETE_UPLOADS, [work.subAccountId, contactId]);
  work.write(DELETE_ALL, [work.subAccountId, contactId, work.now]);
}

/**
 * The ids are arrays: PostgreSQL would join all rows of a sub-account that its statistics do not know with each
 * other.
 */
const CONVERSATIONS = `array(
      select v.id from conversations v where v.sub_account_id = $1 and v.contact_id = $2
    )`;

/** A trigger queues the removal of their contents. */
const DELETE_FILES = `delete from files f
  where f.sub_account_id = $1 and f.message_id = any(array(
    select m.id from messages m
    where m.sub_account_id = $1 and m.conversation_id = any(${CONVERSATIONS})
  ))`;

/** Files that a visitor uploaded; those without a message, too. */
const DELETE_UPLOADS = `delete from files f
  where f.sub_account_id = $1 and f.session_id = any(array(
    select s.id from chat_sessions s
    where s.sub_account_id = $1 and s.conversation_id = any(${CONVERSATIONS})
  ))`;

const DELETE_ALL = `update conversations set deleted_at = $3, updated_at = $3
  where sub_account_id = $1 and contact_id = $2 and deleted_at is null`;

/**
 * Moves the conversations of a merged contact to the kept one. If both have an open one on a channel,
 * that of the kept contact stays open; those by sms are united.
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
    for (const statement of MOVE_DRAFTS) {
      await work.rows(statement, values);
    }
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

/** Two drafts of one user become one with both texts. */
const MOVE_DRAFTS = [
  `update drafts kept
    set body_text = concat_ws(E'\\n\\n', nullif(kept.body_text, ''), nullif(other.body_text, '')),
      subject = coalesce(kept.subject, other.subject),
      is_internal = kept.is_internal or other.is_internal,
      updated_at = greatest(kept.updated_at, other.updated_at)
    from drafts other
    where kept.sub_account_id = $1 and kept.conversation_id = $3
      and other.sub_account_id = $1 and other.conversation_id = $2 and other.user_id = kept.user_id`,
  `delete from drafts other
    using drafts kept
    where other.sub_account_id = $1 and other.conversation_id = $2
      and kept.sub_account_id = $1 and kept.conversation_id = $3 and kept.user_id = other.user_id`,
  `update drafts set conversation_id = $3 where sub_account_id = $1 and conversation_id = $2`,
];

const UNITE = `update conversations kept
  set unread_count = kept.unread_count + other.unread_count,
    last_message_at = greatest(kept.last_message_at, other.last_message_at),
    status = case
      when 'open' in (kept.status, other.status) then 'open'
      when 'snoozed' in (kept.status, other.status) then 'snoozed'
      else 'closed'
    end,
    snoozed_until = least(kept.snoozed_until, other.snoozed_until),
    assigned_to = coalesce(kept.assigned_to, other.assigned_to),
    is_archived = kept.is_archived and other.is_archived,
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

export type Thread = Pick<Conversation, 'id' | 'contactId' | 'channel' | 'status'>;

export interface Collisions {
  /** Threads to close before the move. */
  readonly closed: readonly string[];
  /** The two threads by sms; the first is merged into the second. */
  readonly united: { readonly from: string; readonly into: string } | undefined;
}

/** Finds threads of a merged contact that collide with those of the kept contact. */
export function collisionsOf(threads: readonly Thread[], mergedContactId: string): Collisions {
  const moving = threads.filter(({ contactId }) => contactId === mergedContactId);
  const staying = threads.filter(({ contactId }) => contactId !== mergedContactId);
  const closed = moving.filter(
    (one) => isSole(one) && staying.some((other) => isRival(one, other)),
  );
  const [from, into] = [moving, staying].map((own) => own.find(({ channel }) => channel === 'sms'));
  return {
    closed: closed.map(({ id }) => id),
    united: from && into && { from: from.id, into: into.id },
  };
}

/** A contact has one open thread per channel, except for live chats; sms threads are united. */
const isSole = ({ channel }: Thread): boolean => channel !== 'sms' && channel !== 'live_chat';

const isRival = (one: Thread, other: Thread): boolean =>
  one.channel === other.channel && one.status === 'open' && other.status === 'open';
