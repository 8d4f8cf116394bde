import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import type { Answer } from './submission-details.tsx';

const PAGE_SIZE = 50;

/** Something that happened with a contact. */
export interface TimelineEntry {
  readonly kind:
    | 'message'
    | 'note'
    | 'appointment'
    | 'opportunity'
    | 'task'
    | 'submission'
    | 'campaign'
    | 'run'
    | 'consent';
  readonly id: string;
  readonly at: string;
  readonly summary: string;
  readonly status: string | null;
  /** The conversation of a message, the campaign of a mail, the workflow of a run. */
  readonly parent: string | null;
  /** When an appointment begins. */
  readonly startTime: string | null;
}

/** Returns what happened with a contact, newest first, page by page. */
export function useTimeline(contactId: string) {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'timeline', contactId],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<TimelineEntry[], CursorMeta>(
        'GET',
        `/api/v1/contacts/${contactId}/timeline`,
        { query: { limit: PAGE_SIZE, cursor: pageParam }, options: { signal } },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
  });
}

/** What a contact submitted in a form. */
interface Submission {
  readonly form: string;
  readonly pageUrl: string | null;
  readonly createdAt: string;
  readonly answers: readonly Answer[];
}

export function useSubmission(contactId: string, id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'timeline', contactId, 'submission', id],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Submission>(
        'GET',
        `/api/v1/contacts/${contactId}/submissions/${id}`,
        { options: { signal } },
      ),
  });
}
