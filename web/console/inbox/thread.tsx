import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCanWrite } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import type { InboxConversation } from '../api/console-types.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import type { ComposerHandle } from './composer.tsx';
import { useConversation, useMarkConversation } from './conversation-queries.ts';
import { MessageList } from './message-list.tsx';
import { Presence } from './presence.tsx';
import { ThreadBar } from './thread-bar.tsx';
import { useThreadActions } from './thread-actions.ts';
import styles from './thread.module.css';

/** It brings drag and drop, which the first screen does not need; it is loaded right after that. */
const loadComposer = async () => ({ default: (await import('./composer.tsx')).Composer });
void loadComposer().catch(() => undefined);
const Composer = lazy(loadComposer);

interface ThreadProps {
  readonly id: string;
  readonly onBack: () => void;
  readonly onPanel: () => void;
  readonly isPanelOpen: boolean;
}

/** One conversation: its bar, its messages, and the box for the reply. */
export function Thread({ id, onBack, onPanel, isPanelOpen }: ThreadProps) {
  const { data: conversation, error, refetch } = useConversation(id);
  if (conversation === undefined) {
    return (
      <section className={styles.thread}>
        {error === null ? (
          <SkeletonRows />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </section>
    );
  }
  // A thread that is shown takes the keys of its composer.
  return (
    <Suspense fallback={<section className={styles.thread} />}>
      <OpenThread {...{ conversation, onBack, onPanel, isPanelOpen }} />
    </Suspense>
  );
}

interface OpenThreadProps extends Omit<ThreadProps, 'id'> {
  readonly conversation: InboxConversation;
}

function OpenThread({ conversation, onBack, onPanel, isPanelOpen }: OpenThreadProps) {
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
