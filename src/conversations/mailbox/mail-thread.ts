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

const OURS = /^<([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})@[!-;=?-~]+>$/i;

/** The Message-ID of an outbound message: the same in every attempt. */
export const messageIdOf = (id: string, sender: string): string =>
  `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;

/** The id in a Message-ID of an outbound message; undefined for a Message-ID of another form. */
export const namedMessage = (messageId: string): string | undefined =>
  OURS.exec(messageId)?.[1]?.toLowerCase();

const LOCAL_MAX = 64;
const TOKEN = /\+([\da-f]{8})([\da-f]{4})(7[\da-f]{3})([89ab][\da-f]{3})([\da-f]{12})@/i;

/**
 * The reply address of a message, with the message's id as a tag. The id cannot be guessed, and recipients
 * know it from the Message-ID anyway. If the local part would be too long, it is the plain address.
 */
export function replyAddress(address: string, messageId: string): string {
  const at = address.lastIndexOf('@');
  const local = `${address.slice(0, at)}+${messageId.replaceAll('-', '')}`;
  return local.length <= LOCAL_MAX ? local + address.slice(at) : address;
}

/** The id of the message whose reply address is among these; undefined if none is. */
export function repliedTo(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    const [, ...parts] = TOKEN.exec(address) ?? [];
    if (parts.length > 0) {
      return parts.join('-').toLowerCase();
    }
  }
  return undefined;
}
