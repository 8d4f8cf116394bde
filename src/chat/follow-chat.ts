import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Notifications } from '#core/tools.ts';
import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import type { View } from '#core/work.ts';
import { findTeamTyping, TYPING_MS } from '../conversations/presence/presence.store.ts';
import { requireEnabledChat } from './chat-settings.ts';
import { findChatMessages, type LinkOfFile } from './find-chat-messages.ts';
import type { SessionKey } from './chat-session.ts';

interface FollowOptions {
  readonly notifications: Notifications;
  /** The last message that the reader has. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  readonly linkOf: LinkOfFile;
}

/** Repeats the id of the last message: a reader that reconnects continues after it. */
const typingEvent = (isTyping: boolean, id = ''): StreamEvent => ({
  id,
  event: 'typing',
  data: JSON.stringify({ isTyping, forMs: isTyping ? TYPING_MS : 0 }),
});

/** Changes of these tables may end a stream: the sub-account is deleted, the chat is disabled. */
const TABLES = ['sub_accounts', 'chat_settings'];

/**
 * Yields each message after `after` once, in order, until the signal is aborted. Throws NOT_FOUND when
 * the session or its sub-account ends, or the chat is disabled.
 */
export async function* followChat(
  view: View,
  key: SessionKey,
  { notifications, after, signal, linkOf }: FollowOptions,
): AsyncGenerator<StreamEvent> {
  let known = after;
  const read = () => findChatMessages(view, key, { after: known, unknownIs: 'first' }, linkOf);
  let page = await read();
  let typingUntil: number | undefined;
  const wake = newWakeSignal();
  // A message may have arrived between the page and the watch.
  wake.notify();
  const topics = [`chat:${page.conversationId}`, ...TABLES];
  const stops = topics.map((topic) => notifications.watch(topic, wake.notify));
  signal.addEventListener('abort', wake.notify);
  try {
    while (!signal.aborted) {
      for (const message of page.messages) {
        yield { id: message.id, event: 'message', data: JSON.stringify(message) };
        known = message.id;
      }
      const nowUntil = await findTeamTyping(view, page.conversationId, new Date());
      if (nowUntil !== typingUntil) {
        typingUntil = nowUntil;
        yield typingEvent(typingUntil !== undefined, known);
      }
      if (!page.hasMore) {
        await wake.wait(typingUntil === undefined ? undefined : TYPING_MS);
      }
      await requireEnabledChat(view);
      page = await read();
    }
  } finally {
    stops.forEach((stop) => stop());
    signal.removeEventListener('abort', wake.notify);
  }
}
