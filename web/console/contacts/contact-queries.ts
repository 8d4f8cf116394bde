import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  ContactsCreateBody,
  ContactsUpdateBody,
} from '../../../sdk/src/generated/contacts.ts';
import type { Channel } from '../../../sdk/src/generated/shared.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { sentFilter, type ContactFilter } from './contact-filter.ts';

const PAGE_SIZE = 50;

/** A conversation, a deal or a task of the contact, at the time of its last or first event. */
export interface TimelineEntry {
  readonly kind: 'conversation' | 'opportunity' | 'task';
  readonly id: string;
  readonly at: string;
  readonly summary: string;
  /** Of a conversation. */
  readonly channel?: Channel;
}

/** As the client takes a filter. */
const queryOf = (filter: ContactFilter) => {
  const { tags, ...query } = sentFilter(filter);
  return { ...query, ...(tags && { tags: [...tags] }) };
};

/** Returns the number of contacts that a filter finds, counted when it is asked for. */
export function useContactCount(filter: ContactFilter) {
  const { subAccountId } = usePlace().membership;
  const query = queryOf(filter);
  return useQuery({
    queryKey: [subAccountId, 'contacts', 'count', query],
    queryFn: async ({ signal }) =>
      (await clientOf(subAccountId).contacts.list({ ...query, limit: 1 }, { signal })).meta.total,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Returns the contacts of a filter, page by page. */
export function useContacts(filter: ContactFilter) {
  const { subAccountId } = usePlace().membership;
  const query = queryOf(filter);
  return useInfiniteQuery({
    queryKey: [subAccountId, 'contacts', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      clientOf(subAccountId).contacts.list(
        { ...query, limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
  });
}

export function useContact(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'contact', id],
    queryFn: ({ signal }) => clientOf(subAccountId).contacts.get(id, { signal }),
  });
}

export function useCreateContact() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ContactsCreateBody) => clientOf(subAccountId).contacts.create(body),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, 'contacts'] }),
  });
}

export function useUpdateContact(id: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ContactsUpdateBody) => clientOf(subAccountId).contacts.update(id, body),
    async onSuccess(contact) {
      queries.setQueryData([subAccountId, 'contact', id], contact);
      await queries.invalidateQueries({ queryKey: [subAccountId, 'contacts'] });
    },
  });
}

/** Returns what happened with a contact, newest first: the latest of each kind. */
export function useTimeline(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'timeline', id],
    queryFn: ({ signal }) => loadTimeline(subAccountId, id, signal),
  });
}

async function loadTimeline(
  subAccountId: string,
  contactId: string,
  signal: AbortSignal,
): Promise<TimelineEntry[]> {
  const { conversations, opportunities, tasks } = clientOf(subAccountId);
  const query = { contactId, limit: PAGE_SIZE };
  const [threads, deals, todos] = await Promise.all([
    conversations.list(query, { signal }),
    opportunities.list(query, { signal }),
    tasks.list(query, { signal }),
  ]);
  const messages = threads.data.map((one) => ({
    kind: 'conversation' as const,
    id: one.id,
    at: one.lastMessageAt ?? one.createdAt,
    summary: one.subject ?? '',
    channel: one.channel,
  }));
  const opened = deals.data.map(({ id, createdAt, name }) => ({
    kind: 'opportunity' as const,
    id,
    at: createdAt,
    summary: name,
  }));
  const created = todos.data.map(({ id, createdAt, title }) => ({
    kind: 'task' as const,
    id,
    at: createdAt,
    summary: title,
  }));
  return [...messages, ...opened, ...created].toSorted((one, other) =>
    other.at.localeCompare(one.at),
  );
}
