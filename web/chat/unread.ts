import type { Chat } from './chat.ts';
import type { Row } from './api.ts';

/** Returns how many agent messages the visitor has not seen in any tab. */
export function countUnread(chat: Chat): number {
  const { seenId } = chat.storage.read();
  const agents = fromAgents(chat);
  return agents.length - 1 - agents.findLastIndex(({ id }) => id === seenId);
}

/** Marks the conversation as seen. */
export function markSeen(chat: Chat): void {
  const newest = fromAgents(chat).at(-1);
  const memory = chat.storage.read();
  const isOurs = memory.sessionId === chat.session?.id;
  if (newest !== undefined && isOurs && newest.id !== memory.seenId) {
    chat.storage.write({ ...memory, seenId: newest.id });
  }
}

const fromAgents = (chat: Chat): readonly Row[] =>
  chat.session?.transcript.rows.filter(({ direction }) => direction === 'outbound') ?? [];
