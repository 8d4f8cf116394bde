import type { InboxConversation } from '../api/console-types.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import {
  useChangeConversation,
  useMarkConversation,
  type ConversationChange,
} from './conversation-queries.ts';

export interface ThreadActions {
  readonly close: () => void;
  readonly reopen: () => void;
  readonly assign: (memberId: string | null) => void;
  readonly snooze: (until: Date) => void;
  readonly setArchived: (isArchived: boolean) => void;
  readonly markUnread: () => void;
}

/** Returns what can be done with a conversation; each says what happened, and offers the way back. */
export function useThreadActions({ id, status }: InboxConversation): ThreadActions {
  const { thread, common } = useMessages();
  const describe = useErrorText();
  const change = useChangeConversation(id);
  const mark = useMarkConversation(id);
  const onError = (error: Error) => {
    const { title, detail } = describe(error);
    showToast({ text: title, detail, isError: true });
  };
  const apply = (body: ConversationChange, text?: string, back?: ConversationChange) =>
    change.mutate(body, {
      onError,
      onSuccess: () =>
        text !== undefined &&
        showToast({
          text,
          ...(back && { action: { label: common.undo, onPress: () => apply(back) } }),
        }),
    });
  return {
    close: () => apply({ status: 'closed' }, thread.closed, { status: 'open' }),
    reopen: () => apply({ status: 'open' }, thread.reopened),
    assign: (assignedTo) => apply({ assignedTo }),
    snooze: (until) =>
      apply({ status: 'snoozed', snoozedUntil: until.toISOString() }, thread.snoozed, {
        status: status === 'closed' ? 'closed' : 'open',
      }),
    setArchived: (isArchived) =>
      apply({ isArchived }, isArchived ? thread.archived : undefined, { isArchived: !isArchived }),
    markUnread: () =>
      mark.mutate('unread', { onError, onSuccess: () => showToast({ text: thread.markedUnread }) }),
  };
}
