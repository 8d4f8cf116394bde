import type { View } from '#core/work.ts';

/** What the headers of a mail say of the thread that it goes on with. */
export interface MailThread {
  /** The Message-ID of the last mail before it. */
  readonly inReplyTo: string;
  /** The first of the thread and the last ones, oldest first. */
  readonly references: readonly string[];
}

/** With the first, so many ids of at most `ID_MAX` stay far below what servers take as a header. */
const LAST = 20;
const ID_MAX = 250;

/** The mails that a message of a conversation comes after; undefined where it is the first. */
export async function mailThreadOf(
  view: View,
  conversationId: string,
  messageId: string,
): Promise<MailThread | undefined> {
  const values = [view.subAccountId, conversationId, messageId];
  const mails = await view.rows<{ name: string }>(BEFORE, values);
  const references = [...new Set(mails.map(({ name }) => name))];
  const inReplyTo = references.at(-1);
  return inReplyTo === undefined ? undefined : { inReplyTo, references };
}

/** Providers' names that are no Message-ID, and those that no header should carry, are left out. */
const IS_MAIL = `m.sub_account_id = $1 and m.conversation_id = $2 and m.id < $3
  and not m.is_internal and length(m.external_id) <= ${ID_MAX}
  and m.external_id ~ '^<[!-;=?-~]+@[!-;=?-~]+>$'`;

const BEFORE = `select name from (
    (select m.id, m.external_id as name from messages m where ${IS_MAIL} order by m.id limit 1)
    union
    (select m.id, m.external_id from messages m where ${IS_MAIL} order by m.id desc limit ${LAST})
  ) as mails order by id`;
