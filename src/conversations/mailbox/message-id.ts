const OURS = /^<([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})@[!-;=?-~]+>$/i;

/** The Message-ID of a message of ours: the same in every attempt to send it. */
export const messageIdOf = (id: string, sender: string): string =>
  `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;

/** The id of a message of ours that a Message-ID would name. */
export const namedMessage = (messageId: string): string | undefined =>
  OURS.exec(messageId)?.[1]?.toLowerCase();

const LOCAL_MAX = 64;
const TOKEN = /\+([\da-f]{8})([\da-f]{4})(7[\da-f]{3})([89ab][\da-f]{3})([\da-f]{12})@/i;

/**
 * The address that a reply to a message goes to. It names the message by its id, which nobody can
 * guess and who got the mail knows from its Message-ID anyway. Where the local part would be longer
 * than servers take, it is the plain address.
 */
export function replyAddress(address: string, messageId: string): string {
  const at = address.lastIndexOf('@');
  const local = `${address.slice(0, at)}+${messageId.replaceAll('-', '')}`;
  return local.length <= LOCAL_MAX ? local + address.slice(at) : address;
}

/** The id of the message whose reply address is among these. */
export function repliedTo(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    const [, ...parts] = TOKEN.exec(address) ?? [];
    if (parts.length > 0) {
      return parts.join('-').toLowerCase();
    }
  }
  return undefined;
}
