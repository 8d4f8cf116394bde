const OURS = /^<([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})@[!-;=?-~]+>$/i;

/** The Message-ID of a message of ours: the same in every attempt to send it. */
export const messageIdOf = (id: string, sender: string): string =>
  `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;

/** The id of a message of ours that a Message-ID would name. */
export const namedMessage = (messageId: string): string | undefined =>
  OURS.exec(messageId)?.[1]?.toLowerCase();
