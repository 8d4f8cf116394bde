import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Channel } from '../../../sdk/src/generated/shared.ts';
import { rowsOf } from '../api/rows-of.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { EmptyState } from '../ui/states.tsx';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { ConversationList } from './conversation-list.tsx';
import { useConversations, VIEWS, type InboxFilter } from './conversation-queries.ts';
import { InboxFilters } from './inbox-filters.tsx';
import { usePreloadMessages } from './message-queries.ts';
import { Thread } from './thread.tsx';
import styles from './inbox.module.css';
import { lazily } from '../ui/lazily.tsx';

/** It stands beside the thread, which is shown first. */
const ContactPanel = lazily(
  async () => (await import('./contact-panel.tsx')).ContactPanel,
  <aside />,
);

/** The filter in the address, and the function that changes it. */
function useFilter(): [InboxFilter, (change: Partial<InboxFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter: InboxFilter = {
    view: VIEWS.find((view) => view === params.get('view')) ?? 'all',
    channel: params.get('channel') as Channel | null,
    isUnread: params.get('unread') === 'true',
    search: params.get('q') ?? '',
  };
  const change = (part: Partial<InboxFilter>) => {
    const { view, channel, isUnread, search } = { ...filter, ...part };
    const next = {
      ...(view !== 'all' && { view }),
      ...(channel && { channel }),
      ...(isUnread && { unread: 'true' }),
      ...(search !== '' && { q: search }),
    };
    setParams(new URLSearchParams(next), { replace: true });
  };
  return [filter, change];
}

/** Loads the messages that the keys for the next and the previous conversation show. */
function usePreloadNeighbours(
  conversationId: string | undefined,
  neighbours: readonly (string | undefined)[],
): void {
  const preload = usePreloadMessages();
  const preloadAll = useEffectEvent(() => {
    for (const id of neighbours) {
      if (id !== undefined) {
        preload(id);
      }
    }
  });
  const isKnown = neighbours.some((id) => id !== undefined);
  useEffect(() => {
    if (conversationId !== undefined && isKnown) {
      preloadAll();
    }
  }, [conversationId, isKnown]);
}

/** Conversations, the open thread, and its contact. */
export function InboxPage({ conversationId }: { readonly conversationId: string | undefined }) {
  const { inbox } = useMessages();
  const [filter, changeFilter] = useFilter();
  const [path, navigate] = useLocation();
  const [isPanelOpen, setPanelOpen] = useState(false);
  const conversations = useConversations(filter);
  const read = rowsOf(conversations);
  const rows = read ?? [];
  const search = location.search;
  const open = (id: string) => navigate(`/inbox/${id}${search}`, { replace: path !== '/inbox' });
  const at = rows.findIndex(({ id }) => id === conversationId);
  usePreloadNeighbours(conversationId, [rows[at + 1]?.id, rows[at - 1]?.id]);
  const step = (by: 1 | -1) => () => {
    const next = at === -1 ? rows[0] : rows[at + by];
    if (next) {
      open(next.id);
    }
  };
  useHotkeys({ j: step(1), k: step(-1) });
  return (
    <div
      className={cx(styles.inbox, conversationId && styles.open, isPanelOpen && styles.panelOpen)}
    >
      <section className={styles.side} aria-labelledby="inbox-title">
        <InboxFilters filter={filter} onChange={changeFilter} />
        <ConversationList
          query={conversations}
          rows={rows}
          isLoading={read === undefined && !conversations.isError}
          filter={filter}
          openId={conversationId}
        />
      </section>
      {conversationId === undefined ? (
        <div className={styles.nothing}>
          <EmptyState icon="chat" title={inbox.choose}>
            {inbox.chooseText}
          </EmptyState>
        </div>
      ) : (
        <>
          <Thread
            key={conversationId}
            id={conversationId}
            onBack={() => navigate(`/inbox${search}`)}
            onPanel={() => setPanelOpen(!isPanelOpen)}
            isPanelOpen={isPanelOpen}
          />
          <ContactPanel conversationId={conversationId} />
        </>
      )}
    </div>
  );
}
