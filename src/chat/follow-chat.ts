import { newWakeSignal } from '#lib/wake-signal.ts';
import type { Notifications } from '#core/notifications.ts';
import type { StreamEvent } from '#core/endpoint/stream-endpoint.ts';
import type { View } from '#core/work.ts';
import { requireEnabledChat } from './chat-settings.ts';
import { findChatMessages } from './find-chat-messages.ts';
import type { SessionKey } from './chat-session.ts';

interface Following {
  readonly notifications: Notifications;
  /** The last message that the reader has. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
}

/** What ends a stream from outside its session: the deletion of its sub-account, a disabled chat. */
const TABLES = ['sub_accounts', 'chat_settings'];

/**
 * Yields each message once, in order, from the one after `after` until the signal. Throws NOT_FOUND
 * when the session or its sub-account ends, or the chat is disabled.
 */
export async function* followChat(
  view: View,
  key: SessionKey,
  { notifications, after, signal }: Following,
): AsyncGenerator<StreamEvent> {
  let known = after;
  const read = () => findChatMessages(view, key, { after: known, unknownIs: 'first' });
  let page = await read();
  const bell = newWakeSignal();
  // Rung as long as it is not known that nothing came between the page and the watch.
  bell.notify();
  const topics = [`chat:${page.conversationId}`, ...TABLES];
  const stops = topics.map((topic) => notifications.watch(topic, bell.notify));
  signal.addEventListener('abort', bell.notify);
  try {
    while (!signal.aborted) {
      for (const message of page.messages) {
        yield { id: message.id, event: 'message', data: JSON.stringify(message) };
        known = message.id;
      }
      if (!page.hasMore) {
        await bell.wait();
      }
      await requireEnabledChat(view);
      page = await read();
    }
  } finally {
    stops.forEach((stop) => stop());
    signal.removeEventListener('abort', bell.notify);
  }
}
