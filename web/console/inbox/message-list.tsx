import { Fragment, useEffect, useLayoutEffect, useRef } from 'react';
import type { InboxConversation } from '../api/console-types.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { isMail } from './channels.ts';
import { MessageItem } from './message-item.tsx';
import { useMessagesOf, type ThreadMessage } from './message-queries.ts';
import { shownSubjects } from './shown-subjects.ts';
import styles from './thread.module.css';

interface MessageListProps {
  readonly conversation: InboxConversation;
  readonly label: string;
}

/** The messages of the thread, oldest first, with a line between days. */
export function MessageList({ conversation, label }: MessageListProps) {
  const { thread, inbox } = useMessages();
  const format = useFormat();
  const query = useMessagesOf(conversation.id);
  const newestFirst: readonly ThreadMessage[] = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const messages = newestFirst.toReversed();
  const subjects = shownSubjects(
    messages.filter(({ channel, isInternal }) => isMail(channel) && !isInternal),
  );
  const scroller = useStayAtEnd(newestFirst[0]?.id, messages.length);
  return (
    <div ref={scroller} className={styles.messages} role="log" aria-label={label} tabIndex={0}>
      {query.isPending && <SkeletonRows count={4} isTall />}
      {query.isError && messages.length === 0 && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.hasNextPage && (
        <div className={styles.older}>
          <Button
            look="ghost"
            isSmall
            isPending={query.isFetchingNextPage}
            onPress={() => void query.fetchNextPage()}
          >
            {thread.older}
          </Button>
        </div>
      )}
      {query.isSuccess && messages.length === 0 && (
        <p className={styles.noMessages}>{inbox.noMessages}</p>
      )}
      {messages.length > 0 && (
        <ol role="list" className={styles.list}>
          {messages.map((message, index) => {
            const before = messages[index - 1];
            const startsDay = !before || !format.isSameDay(before.createdAt, message.createdAt);
            return (
              <Fragment key={message.id}>
                {startsDay && (
                  <li className={styles.day}>
                    <time dateTime={message.createdAt}>{format.day(message.createdAt)}</time>
                  </li>
                )}
                <MessageItem
                  message={message}
                  subject={subjects.get(message.id)}
                  contactName={conversation.contact.name}
                  isFollowing={!startsDay && isFollowing(before, message)}
                />
              </Fragment>
            );
          })}
        </ol>
      )}
    </div>
  );
}

const GROUP_MS = 5 * 60_000;

/** Whether a message belongs to the one before, and needs no line about its sender. */
const isFollowing = (before: ThreadMessage | undefined, message: ThreadMessage): boolean =>
  before !== undefined &&
  before.direction === message.direction &&
  before.isInternal === message.isInternal &&
  before.authorId === message.authorId &&
  Date.parse(message.createdAt) - Date.parse(before.createdAt) < GROUP_MS;

/** How far from the end the reader of earlier messages is, at least. */
const END_PX = 120;

/** Keeps the newest message in view, unless earlier ones are being read; those stay where they are. */
function useStayAtEnd(newestId: string | undefined, count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = useRef({ height: 0, newestId });
  useEffect(() => {
    const element = scroller.current;
    const onScroll = () => {
      if (element) {
        isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < END_PX;
      }
    };
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => element?.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    const hasNew = last.current.newestId !== newestId;
    if (isAtEnd.current) {
      element.scrollTop = element.scrollHeight;
    } else if (!hasNew) {
      element.scrollTop += element.scrollHeight - last.current.height;
    }
    last.current = { height: element.scrollHeight, newestId };
  }, [newestId, count]);
  return scroller;
}
