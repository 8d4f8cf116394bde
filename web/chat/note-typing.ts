import type { Chat } from './chat.ts';

/** The server shows typing for 8 seconds. */
const REPEAT_MS = 5_000;

/** Returns a function that notes for the team that the visitor types, or has stopped. */
export function makeTypingNotes(chat: Chat): (isTyping: boolean) => void {
  /** The time of the last note, in milliseconds since 1970; 0 after the visitor has stopped. */
  let notedAt = 0;
  return (isTyping) => {
    const isKnown = isTyping ? Date.now() - notedAt < REPEAT_MS : notedAt === 0;
    if (chat.session !== undefined && !isKnown) {
      notedAt = isTyping ? Date.now() : 0;
      chat.api.note('typing', { sessionId: chat.session.id, isTyping });
    }
  };
}
