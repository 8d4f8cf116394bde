import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import type { Message, SkippedMessage } from '../../../sdk/src/generated/conversations.ts';
import type { Channel, CursorMeta } from '../../../sdk/src/generated/shared.ts';
import { clientOf, consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

/** A message of the thread; the ones that are being sent are shown before the server has them. */
export type ThreadMessage = Message & { readonly isPending?: true };

type Pages = InfiniteData<{ data: ThreadMessage[]; meta: CursorMeta }, string | undefined>;

const PAGE_SIZE = 50;

const messagesOf = (subAccountId: string, conversationId: string) =>
  infiniteQueryOptions({
    queryKey: [subAccountId, 'messages', conversationId],
    queryFn: ({ pageParam, signal }) =>
      clientOf(subAccountId).conversations.messages(
        conversationId,
        { limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
  });

/** Returns the messages of a conversation, newest first, page by page. */
export function useMessagesOf(conversationId: string) {
  return useInfiniteQuery(messagesOf(usePlace().membership.subAccountId, conversationId));
}

/** Returns a function that loads the messages of a conversation that is likely to be opened next. */
export function usePreloadMessages(): (conversationId: string) => void {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return (conversationId) =>
    void queries.prefetchInfiniteQuery(messagesOf(subAccountId, conversationId));
}

export interface Outgoing {
  readonly bodyText: string;
  readonly channel: Channel;
  readonly isInternal: boolean;
  readonly subject?: string;
  readonly attachmentIds?: string[];
}

/** A message to send, and its uploaded files for showing it at once. */
export interface OutgoingWithFiles {
  readonly body: Outgoing;
  readonly files: Message['attachments'];
}

/** Sends a message or saves a note. It appears in the thread at once, and again as the server stored it. */
export function useSendMessage(conversationId: string) {
  const { membership, session } = usePlace();
  const { subAccountId } = membership;
  const queries = useQueryClient();
  const key = [subAccountId, 'messages', conversationId];
  return useMutation({
    mutationFn: ({ body }: OutgoingWithFiles) =>
      clientOf(subAccountId).conversations.send(conversationId, body),
    async onMutate({ body, files }) {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<Pages>(key, (old) =>
        withFirst(old, {
          ...pendingMessage(conversationId, body, files),
          authorId: session.user.id,
          authorName: session.user.name,
        }),
      );
    },
    onSettled: () => refreshThread(queries, subAccountId, conversationId),
  });
}

/** Sends a failed message again: the failed one stays, and a new one is written. */
export function useResendMessage({ id, conversationId }: ThreadMessage) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      consoleCalls(subAccountId).data<Message | SkippedMessage>(
        'POST',
        `/api/v1/conversations/${conversationId}/messages/${id}/resend`,
        {},
      ),
    onSettled: () => refreshThread(queries, subAccountId, conversationId),
  });
}

const refreshThread = (queries: QueryClient, subAccountId: string, conversationId: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [subAccountId, 'messages', conversationId] }),
    queries.invalidateQueries({ queryKey: [subAccountId, 'conversations'] }),
  ]);

interface SavedReply {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly body: string;
}

/** Returns the saved replies of the manifest, by name. */
export function useSavedReplies() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'replies'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<SavedReply[]>('GET', '/api/v1/replies', {
        options: { signal },
      }),
  });
}

const pendingMessage = (
  conversationId: string,
  body: Outgoing,
  attachments: Message['attachments'],
): ThreadMessage => ({
  id: `pending-${crypto.getRandomValues(new Uint32Array(2)).join('')}`,
  conversationId,
  channel: body.channel,
  direction: 'outbound',
  subject: body.subject ?? null,
  bodyText: body.bodyText,
  bodyHtml: null,
  status: 'pending',
  fromAddress: null,
  toAddress: null,
  isInternal: body.isInternal,
  externalId: null,
  errorCode: null,
  errorMessage: null,
  attachments,
  authorId: null,
  authorName: null,
  createdAt: new Date().toISOString(),
  isPending: true,
});

function withFirst(old: Pages | undefined, message: ThreadMessage): Pages | undefined {
  const [first, ...rest] = old?.pages ?? [];
  return old && first
    ? { ...old, pages: [{ ...first, data: [message, ...first.data] }, ...rest] }
    : old;
}
