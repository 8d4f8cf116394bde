import type { View } from '#core/work.ts';

/** The headers that put a mail into its thread. */
export interface MailThread {
  /** The Message-ID of the previous mail. */
  readonly inReplyTo: string;
  /** The first mail of the thread and the latest ones, oldest first. */
  readonly references: readonly string[];
}

/** 21 ids of at most `ID_MAX` characters fit into a header. */
const LAST = 20;
const ID_MAX = 250;

/** Returns the mails before a message of a conversation; undefined for the first one. */
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

/** Ids of providers that are no Message-ID, or too long for a header, are left out. */
const IS_MAIL = `m.sub_account_id = $1 and m.conversation_id = $2 and m.id < $3
  and not m.is_internal and length(m.external_id) <= ${ID_MAX}
  and m.external_id ~ '^<[!-;=?-~]+@[!-;=?-~]+>$'`;

const BEFORE = `select name from (
    (select m.id, m.external_id as name from messages m where ${IS_MAIL} order by m.id limit 1)
    union
    (select m.id, m.external_id from messages m where ${IS_MAIL} order by m.id desc limit ${LAST})
  ) as mails order by id`;
