import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { isMail, type ConversationCreate } from './conversation.schema.ts';
import { INSERT_CONVERSATION, newConversation } from './conversation.store.ts';

export interface Opened {
  readonly id: string;
  readonly status: 'open';
  /** False if the contact had a conversation for messages of this channel. */
  readonly created: boolean;
}

/**
 * Returns the open conversation with a contact on a channel, or creates one. A contact has one
 * conversation by sms, which is reopened; on other channels a closed or snoozed one stays as it is.
 */
export async function openConversation(work: Work, input: ConversationCreate): Promise<Opened> {
  refuseSubject(input);
  await lockContact(work, input.contactId);
  for (;;) {
    const opened = (await findCurrent(work, input)) ?? (await insert(work, input));
    if (opened) {
      return opened;
    }
    // A closed conversation was reopened concurrently: the next look finds it.
  }
}

function refuseSubject({ channel, subject = null }: ConversationCreate): void {
  if (subject !== null && !isMail(channel)) {
    throw invalidField('/subject', 'is for email and gmail only');
  }
}

/** Serialises the opening of conversations with a contact, live chats included. */
async function lockContact(work: Work, contactId: string): Promise<void> {
  const [contact] = await work.rows(LOCK_CONTACT, [work.subAccountId, contactId]);
  if (!contact) {
    throw invalidField('/contactId', 'is not a contact of this sub-account');
  }
}

const LOCK_CONTACT = `select id from contacts
  where sub_account_id = $1 and id = $2 and deleted_at is null for no key update`;

async function findCurrent(
  work: Work,
  { contactId, channel }: ConversationCreate,
): Promise<Opened | undefined> {
  const { subAccountId, now } = work;
  const values = [subAccountId, contactId, channel];
  const [current] = await work.rows<{ id: string; status: string }>(CURRENT, values);
  if (current && current.status !== 'open') {
    work.write(REOPEN, [subAccountId, current.id, now]);
    work.audit(current.id);
  }
  return current && { id: current.id, status: 'open', created: false };
}

const CURRENT = `select id, status from conversations
  where sub_account_id = $1 and contact_id = $2 and channel = $3 and deleted_at is null
    and (channel = 'sms' or status = 'open')
  order by id desc limit 1 for update`;

const REOPEN = `update conversations set status = 'open', is_archived = false, updated_at = $3
  where sub_account_id = $1 and id = $2`;

async function insert(work: Work, input: ConversationCreate): Promise<Opened | undefined> {
  const { id, values } = newConversation(work, input);
  const [inserted] = await work.rows(INSERT_IF_NONE, values);
  if (!inserted) {
    return undefined;
  }
  work.audit(id);
  return { id, status: 'open', created: true };
}

const INSERT_IF_NONE = `${INSERT_CONVERSATION} on conflict do nothing returning id`;
