import { Fault, invalidField } from '#core/fault.ts';
import type { DeferredData, Reply } from '#core/endpoint/reply.ts';
import type { Json } from '#core/schema/json.ts';
import { mergedHtml, mergedSubject, mergedText, type MergeValues } from '#lib/merge-fields.ts';
import type { Work } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf, type Mergeable } from '../../contacts/contact.store.ts';
import { namesIn } from '../../contacts/create-minimal-contact.ts';
import { carrierOf, channelSender, type Carrier } from '../channels/channel.store.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isMail } from '../threads/conversation.schema.ts';
import { sendMessage } from '../conversations.jobs.ts';
import { isSuppressed } from '../../contacts/consent/suppressions.ts';
import { lockThread, type LockedThread } from '../threads/conversation.store.ts';
import {
  insertMessage,
  type Attachment,
  type InsertedMessage,
  type NewMessage,
} from './insert-message.ts';
import { attachFiles, lockUploaded, type AttachedFile } from '../../files/attach-files.ts';
import { findAuthor, type Author } from './find-author.ts';
import { theMessage } from './find-messages.ts';
import { refuseBlank, refuseFiles } from './message-files.ts';
import type { MessageCreate } from './message.schema.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { DAY_MS } from '#lib/duration.ts';

/** The message as endpoints show it, available after the write, or the reason why it was skipped. */
export type WrittenMessage =
  | { readonly id: string; readonly record: (() => Json) | DeferredData }
  | { readonly skipped: Skipped };

/** Returns the reply of an endpoint that writes a message: 200 if it was skipped. */
export const messageReply = (written: WrittenMessage): Reply =>
  'skipped' in written ? { status: 200, data: written.skipped } : { data: written.record };

interface Skipped {
  readonly id: null;
  readonly skipped: true;
  readonly reason: 'dnd';
  readonly conversationId: string;
  readonly channel: Channel;
}

/** Additions of slices that write messages themselves. */
interface Extras {
  /** Merge fields besides those of the contact. */
  readonly values?: MergeValues;
  readonly attachment?: Attachment | null;
  /** No person and no caller of the API writes it: it is no exchange with the contact. */
  readonly isAutomatic?: boolean;
  readonly isAutoReply?: boolean;
}

/**
 * Writes a note, or a message that a job sends, into a conversation of any status; the status stays.
 * Merge fields are resolved in messages, not in notes.
 */
export async function writeMessage(
  work: Work,
  conversationId: string,
  input: MessageCreate,
  { values = {}, attachment = null, isAutomatic = false, isAutoReply = false }: Extras = {},
): Promise<WrittenMessage> {
  // Cached reads come first: they need no transaction.
  const carrier = await carrierOf(work, input.channel);
  const fromAddress = await channelSender(work, input.channel);
  const customValues = await customValuesOf(work);
  const thread = await lockThread(work, conversationId, input.toAddress ?? null);
  refuseIssues(thread, input);
  const { channel, bodyText, attachmentIds = [] } = input;
  refuseBlank(bodyText, attachmentIds.length);
  const files = attachmentIds.length > 0 ? await lockUploaded(work, attachmentIds) : [];
  if (input.isInternal) {
    const author = await findAuthor(work, null);
    return withFiles(work, insertNote(work, conversationId, input, author), files);
  }
  refuseFiles({ channel, carrier }, files, bodyText);
  const all = { ...mergeValuesOf(knownToReader(thread), customValues), ...values };
  const merged = mergedWith(all, withSubject(thread, input));
  const author = await findAuthor(work, thread.assigneeName);
  const content = {
    conversationId,
    channel,
    fromAddress,
    attachment,
    isAutomatic,
    isAutoReply,
    author,
    ...merged,
  };
  const recipient = async () => input.toAddress ?? (await recipientOf(work, thread));
  return sendInThread(work, { thread, carrier, recipient, content, files });
}

/**
 * Returns what the merge fields of a message may tell its reader. A visitor of the widget may have
 * typed the email address of another person: they read only what they typed themselves.
 */
const knownToReader = ({ visitorName, visitorEmail, ...contact }: LockedThread): Mergeable =>
  visitorName === null
    ? contact
    : { ...namesIn(visitorName), email: visitorEmail, phone: null, company: null };

interface SendInThread {
  readonly thread: LockedThread;
  readonly carrier: Carrier | undefined;
  /** Throws if the contact has no address. */
  readonly recipient: () => Promise<string | null>;
  readonly content: Omit<Outgoing, 'toAddress'>;
  /** Locked. */
  readonly files?: readonly AttachedFile[];
}

/** Queues a message in a locked thread. Skips a suppressed contact; throws if it could not be sent. */
export async function sendInThread(
  work: Work,
  { thread, carrier, recipient, content, files = [] }: SendInThread,
): Promise<WrittenMessage> {
  const { conversationId, channel } = content;
  if (isSuppressed(thread)) {
    return { skipped: { id: null, skipped: true, reason: 'dnd', conversationId, channel } };
  }
  const toAddress = await recipient();
  if (carrier === undefined) {
    throw notConfigured(channel);
  }
  if (carrier === 'meta') {
    await refuseOutsideWindow(work, thread, toAddress);
  }
  return withFiles(work, queueMessage(work, { ...content, toAddress }), files);
}

/** Its record is read after the files are attached. */
function withFiles(
  work: Work,
  message: InsertedMessage,
  files: readonly AttachedFile[],
): WrittenMessage {
  const ids = files.map(({ id }) => id);
  attachFiles(work, message.id, ids);
  return ids.length > 0 ? { id: message.id, record: theMessage(message.id) } : message;
}

function refuseIssues(
  { channel }: LockedThread,
  { channel: given, subject = null, bodyHtml = null, toAddress, isInternal }: MessageCreate,
): void {
  if (given !== channel) {
    throw invalidField('/channel', `must be ${channel}, the channel of the conversation`);
  }
  if (bodyHtml !== null && !isMail(channel)) {
    throw invalidField('/bodyHtml', 'is for email and gmail only');
  }
  if (subject === null && channel === 'email' && !isInternal) {
    throw invalidField('/subject', 'is required for email');
  }
  refuseAddress(channel, toAddress ?? null);
}

const notConfigured = (channel: Channel): Fault =>
  new Fault('VALIDATION_ERROR', `no provider is set up for ${channel}`, {
    reason: 'channel_not_configured',
  });

const OUTBOUND = { direction: 'outbound' } as const;

function insertNote(
  work: Work,
  conversationId: string,
  input: MessageCreate,
  author: Author,
): InsertedMessage {
  const { channel, bodyText, bodyHtml = null, subject = null } = input;
  const content = { conversationId, channel, bodyText, bodyHtml, subject };
  const note = { status: 'sent', fromAddress: null, toAddress: null, isInternal: true } as const;
  return insertMessage(work, { ...OUTBOUND, ...content, ...note, author });
}

/** The subject of the conversation is the default for mails. */
const withSubject = ({ subject }: LockedThread, input: MessageCreate): MessageCreate =>
  subject === null ? input : { ...input, subject: input.subject ?? subject };

const mergedWith = (
  values: MergeValues,
  { bodyText, bodyHtml = null, subject = null }: MessageCreate,
) => ({
  bodyText: mergedText(bodyText, values),
  bodyHtml: bodyHtml === null ? null : mergedHtml(bodyHtml, values),
  subject: subject === null ? null : mergedSubject(subject, values),
});

type Outgoing = Omit<NewMessage, keyof typeof OUTBOUND | 'status' | 'isInternal'>;

function queueMessage(work: Work, outgoing: Outgoing): InsertedMessage {
  const { subAccountId, now } = work;
  const pending = { status: 'pending', isInternal: false } as const;
  const message = insertMessage(work, { ...OUTBOUND, ...outgoing, ...pending });
  work.write(ANSWERED, [subAccountId, outgoing.conversationId, now]);
  work.enqueue(sendMessage, { subAccountId, messageId: message.id });
  return message;
}

/** A reply marks the conversation as read. */
const ANSWERED = `update conversations
  set unread_count = 0, last_message_at = greatest(last_message_at, $3), updated_at = $3
  where sub_account_id = $1 and id = $2`;

/** The format of addresses; on other channels they are ids of the provider. */
const FORMAT_OF: Partial<Record<Channel, 'email' | 'e164'>> = {
  email: 'email',
  gmail: 'email',
  sms: 'e164',
};

function refuseAddress(channel: Channel, toAddress: string | null): void {
  const format = FORMATS[FORMAT_OF[channel] ?? ''];
  if (toAddress !== null && format && !format.test(toAddress)) {
    throw invalidField('/toAddress', format.says);
  }
}

/** Returns the contact's address on the channel; null if only the provider may know it. */
async function recipientOf(work: Work, thread: LockedThread): Promise<string | null> {
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
const WINDOW_MS = DAY_MS;

/** Throws if the platform would refuse the message. Unknown recipients are left to the platform. */
async function refuseOutsideWindow(
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
