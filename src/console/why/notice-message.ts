import type { View } from '#core/work.ts';
import type { NoticeAppointment } from './appointment-notices.ts';
import type { WhyLanguage } from './language.ts';
import { messageFate, type MessageFate } from './message-fate.ts';

/** A notice of an appointment that was written as a message. */
interface WrittenNotice {
  readonly appointment: NoticeAppointment;
  /** When it was written, ISO 8601. */
  readonly at: string;
  /** Returns the sentence that names the notice and its recipient. */
  readonly intro: (to: string | null) => string;
}

/**
 * Returns what became of the message of a notice, or undefined if it left none, as a skipped one. The
 * rules of a notice are `sent`, `waiting`, `failed`, `bounced`, `unknown` and `sent_again`.
 */
export async function noticeMessage(
  view: View,
  { appointment: { contactId }, at, intro }: WrittenNotice,
  language: WhyLanguage,
): Promise<MessageFate | undefined> {
  const [message] = await view.rows<NoticeMessageRow>(MESSAGE, [view.subAccountId, contactId, at]);
  if (!message) {
    return undefined;
  }
  const { state, isSent, reasons } = await messageFate(view, message.id, language);
  const [first, ...later] = reasons;
  const named = first && {
    ...first,
    rule: state,
    sentence: `${intro(message.to)} ${first.sentence}`,
  };
  return { state, isSent, reasons: named ? [named, ...later] : later };
}

interface NoticeMessageRow {
  readonly id: string;
  readonly to: string | null;
}

/** A notice is written at the moment of its message. */
const MESSAGE = `select m.id, m.to_address as "to" from messages m
  join conversations c on c.sub_account_id = m.sub_account_id and c.id = m.conversation_id
  where m.sub_account_id = $1 and c.contact_id = $2 and m.created_at = $3 and m.is_automatic
  order by m.id limit 1`;
