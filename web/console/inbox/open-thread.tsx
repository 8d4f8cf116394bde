import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCanWrite } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import type { InboxConversation } from '../api/console-types.ts';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { Composer, type ComposerHandle } from './composer.tsx';
import { useMarkConversation } from './conversation-queries.ts';
import { MessageList } from './message-list.tsx';
import { Presence } from './presence.tsx';
import { ThreadBar } from './thread-bar.tsx';
import { useThreadActions } from './thread-actions.ts';
import styles from './thread.module.css';

interface OpenThreadProps {
  readonly conversation: InboxConversation;
  readonly onBack: () => void;
  readonly onPanel: () => void;
  readonly isPanelOpen: boolean;
}

/** A conversation that was loaded. It takes the keys of its composer. */
export function OpenThread({ conversation, onBack, onPanel, isPanelOpen }: OpenThreadProps) {
  const { thread } = useMessages();
  const composer = useRef<ComposerHandle>(null);
  const [open, setOpen] = useState<'assign' | 'snooze' | null>(null);
  const actions = useThreadActions(conversation);
  const canWrite = useCanWrite();
  const keepUnread = useReadWhenSeen(conversation, canWrite);
  const keys = {
    r: () => composer.current?.focus(false),
    n: () => composer.current?.focus(true),
    e: () => (conversation.status === 'closed' ? actions.reopen() : actions.close()),
    s: () => setOpen('snooze'),
    a: () => setOpen('assign'),
    u: () => {
      keepUnread();
      actions.markUnread();
    },
  };
  useHotkeys(canWrite ? keys : {});
  const beginNote = useEffectEvent(() => composer.current?.focus(true));
  useEffect(() => {
    // Set by the page of a contact.
    if ((history.state as { readonly isNote?: boolean } | null)?.isNote) {
      beginNote();
    }
  }, []);
  return (
    <section className={styles.thread} aria-labelledby="thread-title">
      <ThreadBar
        conversation={conversation}
        actions={{ ...actions, markUnread: () => (keepUnread(), actions.markUnread()) }}
        open={open}
        onOpen={setOpen}
        onBack={onBack}
        onPanel={onPanel}
        isPanelOpen={isPanelOpen}
      />
      <MessageList conversation={conversation} label={thread.messages} />
      <Presence conversationId={conversation.id} />
      {canWrite && <Composer ref={composer} conversation={conversation} />}
    </section>
  );
}

/**
 * Marks the conversation as read while it is looked at. Returns the function that stops this, for a
 * conversation that the user marks as unread.
 */
function useReadWhenSeen(
  { id, unreadCount, lastMessageAt }: InboxConversation,
  canWrite: boolean,
): () => void {
  const { mutate } = useMarkConversation(id);
  const keptUnreadAt = useRef<string | null>(undefined);
  const markRead = useEffectEvent(() => {
    const isSeen = document.visibilityState === 'visible';
    if (canWrite && unreadCount > 0 && isSeen && keptUnreadAt.current !== lastMessageAt) {
      mutate('read');
    }
  });
  useEffect(() => {
    const onVisible = () => markRead();
    onVisible();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [unreadCount, lastMessageAt]);
  return () => {
    keptUnreadAt.current = lastMessageAt;
  };
}
