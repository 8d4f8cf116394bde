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
