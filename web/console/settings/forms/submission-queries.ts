import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CursorMeta } from '../../../../sdk/src/generated/shared.ts';
import { consoleCalls } from '../../api/client.ts';
import { usePlace } from '../../api/session.ts';
import type { Answer } from '../../contacts/submission-details.tsx';

/** A submission as the API shows it. */
export interface FormSubmission {
  readonly id: string;
  /** The form's key in the manifest. */
  readonly form: string;
  readonly formName: string;
  readonly contactId: string | null;
  readonly fields: Readonly<Record<string, Answer['value'] | NonNullable<Answer['file']>>>;
  readonly pageUrl: string | null;
  readonly createdAt: string;
}

const PAGE_SIZE = 20;

/** Returns the submissions of one form or of all, newest first, page by page. */
export function useSubmissions(formId: string | undefined) {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'submissions', formId],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<FormSubmission[], CursorMeta>(
        'GET',
        '/api/v1/forms/submissions',
        { query: { formId, limit: PAGE_SIZE, cursor: pageParam }, options: { signal } },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: (previous) => previous,
    staleTime: 0,
  });
}

export function useFormSubmission(id: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'submissions', 'one', id],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<FormSubmission>('GET', `/api/v1/forms/submissions/${id}`, {
        options: { signal },
      }),
  });
}
