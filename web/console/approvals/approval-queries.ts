import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import type { Risk } from '../../../src/core/agent.ts';
import { consoleCalls } from '../api/client.ts';
import { useIsAdmin, usePlace } from '../api/session.ts';

/** A call of an agent that waits for a decision, or did. */
export interface Approval {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly risk: Risk;
  readonly summary: string;
  readonly effects: Readonly<Record<string, number>>;
  readonly keyName: string | null;
  readonly client: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly outcome: 'done' | 'refused' | null;
  readonly refusal: string | null;
}

/** The lists of the page; `decided` includes expired ones. */
const STATUSES = { pending: 'pending', decided: 'approved,denied,expired' } as const;
export type ApprovalList = keyof typeof STATUSES;

const PAGE_SIZE = 50;
/** An approval that expires changes no record. */
const EXPIRY_CHECK_MS = 60_000;

/** Returns the approvals of a list, newest first, page by page. */
export function useApprovals(list: ApprovalList) {
  const { subAccountId } = usePlace().membership;
  return useInfiniteQuery({
    queryKey: [subAccountId, 'approvals', list],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<Approval[], CursorMeta>('GET', '/api/v1/approvals', {
        query: { status: STATUSES[list], limit: PAGE_SIZE, cursor: pageParam },
        options: { signal },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    refetchInterval: EXPIRY_CHECK_MS,
    enabled: useIsAdmin(),
  });
}

/** Returns how many approvals wait for a decision, of the newest. */
export function usePendingApprovals(): number {
  const { data } = useApprovals('pending');
  return data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
}

/** Returns one approval; `token` is that of the mailed link, which the server checks. */
export function useApproval(id: string, token: string | null) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'approvals', id, token],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Approval>('GET', `/api/v1/approvals/${id}`, {
        query: token === null ? {} : { token },
        options: { signal },
      }),
  });
}

export function useDecide() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, verb }: { readonly id: string; readonly verb: 'approve' | 'deny' }) =>
      consoleCalls(subAccountId).data<Approval>('POST', `/api/v1/approvals/${id}/${verb}`, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'approvals'] }),
  });
}
