import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

const PAGE_SIZE = 50;

/** An event in the list, without its body. */
export interface ListedEvent {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly contactId: string | null;
  readonly contactName: string | null;
  readonly title: string | null;
  readonly recordId: string | null;
}

/** Returns the events of the last 30 days, newest first, page by page; those of a name if it is given. */
export function useEvents(event: string | undefined) {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    // Fetched again with the deliveries, which follow new events.
    queryKey: [subAccountId, 'deliveries', 'events', event],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<ListedEvent[], CursorMeta>('GET', '/api/v1/events/latest', {
        query: { ...(event && { event }), limit: PAGE_SIZE, cursor: pageParam },
        options: { signal },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: (previous) => previous,
  });
}

/** A run that an event started. */
export interface StartedRun {
  readonly id: string;
  /** The slug of the workflow. */
  readonly workflow: string;
  readonly workflowName: string;
}

interface EventDetail {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: object;
  /** The runs that the event started; empty for members who are not admins. */
  readonly runs: readonly StartedRun[];
}

/** Returns an event with its body. */
export function useEvent(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'event', id],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<EventDetail>('GET', `/api/v1/events/${id}`, {
        options: { signal },
      }),
  });
}
