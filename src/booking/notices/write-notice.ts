import type { MergeValues } from '#lib/merge-fields.ts';
import type { Work } from '#core/work.ts';
import type { Confirmation } from '../../calendars/calendar-entry.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import { isSuppressed } from '../../conversations/messages/is-suppressed.ts';
import type { Attachment } from '../../conversations/messages/insert-message.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import type { Noticed } from './read-notice.ts';

/** What is written, and to whom. */
interface Notice {
  readonly noticed: Noticed;
  readonly words: Confirmation;
  readonly values: MergeValues;
  readonly attachment?: Attachment;
}

/** A mail wants a subject, also where the manifest has none; whatever language it is in. */
const SUBJECT = '{{appointment.title}}: {{appointment.start}}';

/**
 * Writes to the customer as a message of his conversation, which a job hands to its carrier. Answers
 * why nothing could be written; the booking stands all the same.
 */
export async function writeNotice(
  work: Work,
  { noticed, words, values, attachment }: Notice,
): Promise<string | undefined> {
  const { channel, subject, body: bodyText } = words;
  const reason = await reasonAgainst(work, noticed, channel);
  if (reason !== undefined) {
    return reason;
  }
  const { id } = await openConversation(work, { contactId: noticed.contactId, channel });
  const mail = channel === 'email' ? { subject: subject ?? SUBJECT } : {};
  const extras = { values, ...(attachment && channel === 'email' && { attachment }) };
  await writeMessage(work, id, { channel, bodyText, ...mail }, extras);
  return undefined;
}

async function reasonAgainst(
  work: Work,
  { email, phone, dnd, isOptedOut }: Noticed,
  channel: Confirmation['channel'],
): Promise<string | undefined> {
  if (isSuppressed({ channel, dnd, isOptedOut })) {
    return 'the contact is not to be disturbed';
  }
  if ((channel === 'email' ? email : phone) === null) {
    return `the contact has no ${channel === 'email' ? 'email address' : 'phone number'}`;
  }
  const carrier = await carrierOf(work, channel);
  return carrier === undefined ? `no provider is set up for ${channel}` : undefined;
}

/** Takes a notice as written; false where it was before. */
export async function takeNotice(
  work: Work,
  appointmentId: string,
  notice: string,
): Promise<boolean> {
  const values = [work.subAccountId, appointmentId, notice, work.now];
  return (await work.rows(TAKE, values)).length > 0;
}

const TAKE = `insert into appointment_notices (sub_account_id, appointment_id, notice, written_at)
  values ($1, $2, $3, $4) on conflict do nothing returning notice`;
