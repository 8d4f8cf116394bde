import { answerOf, readerOf, lockerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { conversationSchema } from './conversation.schema.ts';
import { Conversation } from './conversation.entity.ts';
import { orNotFound } from '#core/fault.ts';
import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import type { Channel } from '../../contacts/channels.ts';
import { optedOut } from '../../contacts/consent/suppressions.ts';

const CONTACT = `(select row_to_json(one) from (
    select trim(c.first_name || ' ' || c.last_name) as name, c.email, c.phone
    from contacts c where c.sub_account_id = $1 and c.id = v.contact_id
  ) as one)`;

/**
 * SQL: conversation `v` is a chat of the widget. Its visitor is identified only by what they typed, which
 * may be the email address of another person.
 */
const IS_OF_WIDGET = `exists (
    select from chat_sessions s
    where s.sub_account_id = $1 and s.conversation_id = v.id
  )`;

/** `visitorVerified` of conversation `v`: null on channels other than live_chat. */
const VISITOR_VERIFIED = `case when v.channel = 'live_chat' then not ${IS_OF_WIDGET} end`;

/** The SQL of members of conversation `v` of sub-account `$1` that are no columns. */
export const computedMembers = { contact: CONTACT, visitorVerified: VISITOR_VERIFIED };

/** Conversation `v` as every endpoint shows it, except for opening one. */
const conversationRecord = recordSchema(conversationSchema, 'v', computedMembers);

export const liveConversations = {
  table: 'conversations',
  alias: 'v',
  record: conversationRecord,
} as const;

export const readConversation = readerOf('conversation', liveConversations);
export const theConversation = answerOf(readConversation);

export const lockConversation = lockerOf<Conversation>('conversation', Conversation);

/** A conversation and its contact, as needed to write a message. */
export interface LockedThread {
  readonly channel: Channel;
  readonly contactId: string;
  readonly subject: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  /** What the visitor typed into the widget; null in other conversations. */
  readonly visitorName: string | null;
  readonly visitorEmail: string | null;
  readonly dnd: DoNotDisturb;
  /** The name of the assigned team member. */
  readonly assigneeName: string | null;
  /** An opt-out covers one of the contact's addresses, or the given one. */
  readonly isOptedOut: boolean;
}

/** Locks the live conversation against other writers until the work ends. Throws NOT_FOUND. */
export async function lockThread(
  work: Work,
  id: string,
  toAddress: string | null,
): Promise<LockedThread> {
  const address = toAddress === null ? null : normalised(toAddress);
  const values = [work.subAccountId, id, address];
  const [free] = await work.rows<LockedThread>(LOCK_THREAD, values);
  return orNotFound(free ?? (await waitFor(work, values)), 'conversation');
}

/** A separate statement after the wait: the waiting one would still see the contact from before a merge. */
async function waitFor(
  work: Work,
  [subAccountId, id, address]: readonly unknown[],
): Promise<LockedThread | undefined> {
  await work.rows(WAIT, [subAccountId, id]);
  const [thread] = await work.rows<LockedThread>(READ, [subAccountId, id, address]);
  return thread;
}

/** Each table names the sub-account: Citus sends a statement that locks in a `with` to a node only then. */
const threadBy = (lock: string): string => `with v as materialized (
    select sub_account_id, channel, contact_id, subject, assigned_to from conversations
    where sub_account_id = $1 and id = $2 and deleted_at is null ${lock}
  )
  select v.channel, v.contact_id as "contactId", v.subject,
    c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone, c.company, c.dnd,
    s.visitor_name as "visitorName", s.visitor_email as "visitorEmail",
    ${optedOut('$3::text')} as "isOptedOut", (
      select t.name from team_members t
      where t.sub_account_id = $1 and t.id = v.assigned_to
    ) as "assigneeName"
  from v join contacts c on c.sub_account_id = $1 and c.id = v.contact_id
  left join chat_sessions s
    on v.channel = 'live_chat' and s.sub_account_id = $1 and s.conversation_id = $2`;

const LOCK_THREAD = threadBy('for no key update skip locked');
const WAIT = `select from conversations where sub_account_id = $1 and id = $2 for no key update`;
const READ = threadBy('');

/** Returns `visitorVerified` for the conversation of a message. */
export async function visitorVerified(
  work: Work,
  channel: Channel,
  conversationId: string,
): Promise<boolean | null> {
  if (channel !== 'live_chat') {
    return null;
  }
  const found = await work.rows<{ isVerified: boolean }>(VERIFIED, [
    work.subAccountId,
    conversationId,
  ]);
  return found[0]?.isVerified ?? true;
}

const VERIFIED = `select ${VISITOR_VERIFIED} as "isVerified" from conversations v
  where v.sub_account_id = $1 and v.id = $2`;

interface NewConversation {
  readonly contactId: string;
  readonly channel: Channel;
  readonly subject?: string | null;
  readonly unreadCount?: number;
  readonly lastMessageAt?: Date | null;
}

/** Inserts an open conversation, at the end of the work, and returns its id. */
export function insertConversation(work: Work, conversation: NewConversation): string {
  const { id, values } = newConversation(work, conversation);
  work.write(INSERT_CONVERSATION, values);
  return id;
}

/** Returns the id of a new open conversation and its values for `INSERT_CONVERSATION`. */
export function newConversation({ subAccountId, now }: Work, conversation: NewConversation) {
  const {
    contactId,
    channel,
    subject = null,
    unreadCount = 0,
    lastMessageAt = null,
  } = conversation;
  const id = newId(now);
  const content = [contactId, channel, 'open', subject, unreadCount, lastMessageAt];
  return { id, values: [subAccountId, id, ...content, now, now] };
}

export const INSERT_CONVERSATION = insertInto('conversations', [
  'subAccountId',
  'id',
  'contactId',
  'channel',
  'status',
  'subject',
  'unreadCount',
  'lastMessageAt',
  'createdAt',
  'updatedAt',
]);
