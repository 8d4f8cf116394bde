import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { InboxConversation } from '../api/console-types.ts';
import { useIsAdmin, usePlace } from '../api/session.ts';
import { useFormat, type Format } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import type { Messages } from '../i18n/message-types.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Count } from '../ui/badge.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icons.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { CHANNEL_ICONS } from './channels.ts';
import type { InboxFilter, useConversations } from './conversation-queries.ts';
import { usePreloadMessages } from './message-queries.ts';
import styles from './conversation-list.module.css';

const ROW_PX = 64;
/** Rows that are rendered before and after the visible ones. */
const OVERSCAN = 10;

interface ConversationListProps {
  readonly query: ReturnType<typeof useConversations>;
  readonly rows: readonly InboxConversation[];
  readonly isLoading: boolean;
  readonly filter: InboxFilter;
  readonly openId: string | undefined;
}

/** A list of any length: only visible rows are on the page, and further pages load while scrolling. */
export function ConversationList(props: ConversationListProps) {
  const { query, rows, isLoading, filter, openId } = props;
  const messages = useMessages();
  const format = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtualizer.getVirtualItems();
  useLoadMore(query, (items.at(-1)?.index ?? 0) >= rows.length - OVERSCAN);
  useShowOpenRow(rows, openId, virtualizer);
  return (
    <div ref={scroller} className={styles.scroller}>
      {isLoading && <SkeletonRows isTall />}
      {query.isError && rows.length === 0 && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      <ul
        role="list"
        aria-label={messages.inbox.conversations}
        aria-busy={isLoading}
        className={styles.list}
        // eslint-disable-next-line react/forbid-dom-props -- the height depends on the rows
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start, key }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={key}
                aria-setsize={query.hasNextPage ? -1 : rows.length}
                aria-posinset={index + 1}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ConversationRow
                  row={row}
                  isOpen={row.id === openId}
                  search={location.search}
                  messages={messages}
                  format={format}
                />
              </li>
            )
          );
        })}
      </ul>
      {query.isFetchNextPageError && (
        <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />
      )}
      {query.isSuccess && !isLoading && rows.length === 0 && <EmptyList filter={filter} />}
    </div>
  );
}

function useLoadMore(query: ConversationListProps['query'], isNearEnd: boolean): void {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // After a failure the user decides, or the list is loaded again when the connection is back.
  const isWanted = isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isWanted) {
      void fetchNextPage();
    }
  }, [isWanted, fetchNextPage]);
}

/** Scrolls to the open conversation when another one is opened, such as by key. */
function useShowOpenRow(
  rows: readonly InboxConversation[],
  openId: string | undefined,
  { scrollToIndex }: { scrollToIndex: (index: number) => void },
): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const index = rows.findIndex(({ id }) => id === openId);
    if (index !== -1 && shown.current !== openId) {
      shown.current = openId;
      scrollToIndex(index);
    }
  }, [rows, openId, scrollToIndex]);
}

interface ConversationRowProps {
  readonly row: InboxConversation;
  readonly isOpen: boolean;
  readonly search: string;
  readonly messages: Messages;
  readonly format: Format;
}

const ConversationRow = memo(({ row, isOpen, search, messages, format }: ConversationRowProps) => {
  const { inbox, common, channels } = messages;
  const name = row.contact.name || common.unnamed;
  const { lastMessage } = row;
  const userId = usePlace().session.user.id;
  const preload = usePreloadMessages();
  const preview = lastMessage?.bodyText?.slice(0, 160) ?? row.subject ?? inbox.noMessages;
  const at = row.lastMessageAt ?? row.createdAt;
  return (
    <Link
      href={`/inbox/${row.id}${search}`}
      aria-current={isOpen ? 'true' : undefined}
      onPointerEnter={() => preload(row.id)}
      onFocus={() => preload(row.id)}
      className={cx(styles.row, row.unreadCount > 0 && styles.unread)}
    >
      <Avatar name={name} />
      <span className={styles.text}>
        <span className={styles.line}>
          <span className={styles.name}>{name}</span>
          <span className={styles.channel} title={channels[row.channel]}>
            <Icon name={CHANNEL_ICONS[row.channel]} size={13} />
          </span>
          <time dateTime={at} className={styles.time}>
            {format.short(at)}
          </time>
        </span>
        <span className={styles.line}>
          <span className={styles.preview}>
            {lastMessage?.direction === 'outbound' && (
              <span>{senderOf(lastMessage, userId, inbox)}: </span>
            )}
            {preview}
          </span>
          <Count value={row.unreadCount} isStrong />
        </span>
      </span>
    </Link>
  );
});

/** Confirmations and reminders are told apart from what a person wrote. */
const senderOf = (
  { isAutomatic, authorId }: NonNullable<InboxConversation['lastMessage']>,
  userId: string,
  inbox: Messages['inbox'],
): string => (isAutomatic ? inbox.automatic : authorId === userId ? inbox.you : inbox.team);

ConversationRow.displayName = 'ConversationRow';

function EmptyList({ filter }: { readonly filter: InboxFilter }) {
  const { inbox } = useMessages();
  const isAdmin = useIsAdmin();
  const isAll = filter.view === 'all' && !filter.isUnread && filter.channel === null;
  if (filter.search !== '') {
    return (
      <EmptyState icon="search" title={inbox.emptySearch}>
        {inbox.emptySearchText}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="inbox"
      title={isAll ? inbox.emptyAll : inbox.emptyView}
      action={isAll && isAdmin && <Link href="/settings?tab=channels">{inbox.connectChannel}</Link>}
    >
      {isAll ? inbox.emptyAllText : inbox.emptyViewText}
    </EmptyState>
  );
}
