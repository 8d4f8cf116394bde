import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationStatus } from '../../../sdk/src/generated/conversations.ts';
import type { Channel, PageMeta } from '../../../sdk/src/generated/shared.ts';
import { clientOf, consoleCalls } from '../api/client.ts';
import { SEARCH_MIN } from '../api/limits.ts';
import type { InboxConversation } from '../api/console-types.ts';
import { useIsIntegrator, usePlace } from '../api/session.ts';
import { useSearchedPhone } from '../contacts/searched-phone.ts';

export const VIEWS = ['all', 'mine', 'unassigned', 'snoozed', 'closed', 'archived'] as const;
type View = (typeof VIEWS)[number];

/** What the list shows; it is in the address. */
export interface InboxFilter {
  readonly view: View;
  readonly channel: Channel | null;
  readonly isUnread: boolean;
  readonly search: string;
}

const PAGE_SIZE = 50;

/** Returns the query parameters of a filter. A search of all conversations finds closed and snoozed ones, too. */
const queryOf = (
  { view, channel, isUnread, search: typed }: InboxFilter,
  phone: string | null | undefined,
) => {
  const search = typed.trim();
  const isSearch = search.length >= SEARCH_MIN;
  const hasAnyStatus = view === 'archived' || (view === 'all' && isSearch);
  return {
    order: 'activity',
    view: view === 'mine' || view === 'unassigned' ? view : 'all',
    ...(view === 'archived' && { archived: true }),
    ...(!hasAnyStatus && { status: statusOf(view) }),
    ...(channel && { channel }),
    ...(isUnread && { unread: true }),
    ...(isSearch && (phone ? { phone } : { q: search })),
  };
};

const statusOf = (view: View): ConversationStatus =>
  view === 'snoozed' || view === 'closed' ? view : 'open';

const useSubAccountId = (): string => usePlace().membership.subAccountId;

/** Returns the conversations of a filter, latest message first, page by page. */
export function useConversations(filter: InboxFilter) {
  const subAccountId = useSubAccountId();
  const phone = useSearchedPhone(filter.search);
  const query = queryOf(filter, phone);
  return useInfiniteQuery({
    enabled: phone !== undefined,
    queryKey: [subAccountId, 'conversations', query],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<InboxConversation[], PageMeta>(
        'GET',
        '/api/v1/conversations',
        {
          query: { ...query, limit: PAGE_SIZE, cursor: pageParam },
          options: { signal },
        },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: (previous) => previous,
  });
}

interface InboxCounts {
  readonly all: { readonly open: number; readonly unread: number };
}

/** Returns how many open conversations have unread messages. */
export function useUnreadCount(): number {
  const subAccountId = useSubAccountId();
  const isIntegrator = useIsIntegrator();
  const { data } = useQuery({
    queryKey: [subAccountId, 'unread'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<InboxCounts>('GET', '/api/v1/inbox/counts', {
        options: { signal },
      }),
    enabled: !isIntegrator,
  });
  return data?.all.unread ?? 0;
}

export function useConversation(id: string) {
  const subAccountId = useSubAccountId();
  const queries = useQueryClient();
  return useQuery({
    queryKey: [subAccountId, 'conversation', id],
    queryFn: ({ signal }) =>
      clientOf(subAccountId).conversations.get(id, { signal }) as Promise<InboxConversation>,
    // The row of the list shows the head of the thread at once.
    placeholderData: () =>
      findInLists(queries.getQueriesData({ queryKey: [subAccountId, 'conversations'] }), id),
  });
}

function findInLists(
  lists: readonly (readonly [unknown, unknown])[],
  id: string,
): InboxConversation | undefined {
  for (const [, list] of lists) {
    const pages = (list as { pages?: { data: InboxConversation[] }[] } | undefined)?.pages ?? [];
    const found = pages.flatMap(({ data }) => data).find((one) => one.id === id);
    if (found) {
      return found;
    }
  }
  return undefined;
}

export interface ConversationChange {
  readonly status?: ConversationStatus;
  readonly assignedTo?: string | null;
  readonly isArchived?: boolean;
  readonly snoozedUntil?: string;
}

/** Changes a conversation; the thread shows the change before the server has confirmed it. */
export function useChangeConversation(id: string) {
  const subAccountId = useSubAccountId();
  const queries = useQueryClient();
  const key = [subAccountId, 'conversation', id];
  return useMutation({
    mutationFn: (body: ConversationChange) =>
      consoleCalls(subAccountId).data<InboxConversation>('PATCH', `/api/v1/conversations/${id}`, {
        body,
      }),
    async onMutate(change) {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<InboxConversation>(key);
      queries.setQueryData<InboxConversation>(key, (old) => old && { ...old, ...change });
      return { before };
    },
    onError: (_error, _change, context) => queries.setQueryData(key, context?.before),
    onSuccess: (conversation) =>
      queries.setQueryData<InboxConversation>(key, (old) => ({ ...old, ...conversation })),
    onSettled: () => refreshLists(queries, subAccountId),
  });
}

/** Marks a conversation as read or unread. */
export function useMarkConversation(id: string) {
  const subAccountId = useSubAccountId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (mark: 'read' | 'unread') =>
      consoleCalls(subAccountId).data<InboxConversation>(
        'POST',
        `/api/v1/conversations/${id}/${mark}`,
        {},
      ),
    onSuccess: (conversation) =>
      queries.setQueryData<InboxConversation>([subAccountId, 'conversation', id], (old) => ({
        ...old,
        ...conversation,
      })),
    onSettled: () => refreshLists(queries, subAccountId),
  });
}

const refreshLists = async (queries: ReturnType<typeof useQueryClient>, subAccountId: string) => {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [subAccountId, 'conversations'] }),
    queries.invalidateQueries({ queryKey: [subAccountId, 'unread'] }),
  ]);
};

/** Returns the members of the team. Conversations and tasks are assigned to them. */
export function useTeam() {
  const subAccountId = useSubAccountId();
  return useQuery({
    queryKey: [subAccountId, 'team'],
    queryFn: ({ signal }) => clientOf(subAccountId).team.list({ signal }),
    staleTime: Infinity,
  });
}
