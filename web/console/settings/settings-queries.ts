import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Scope } from '../../../src/core/scope.ts';
import type { CursorMeta } from '../../../sdk/src/generated/shared.ts';
import type { Policy } from '../authorize/authorize-queries.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import type { Changes } from './value-changes.tsx';

export type { Scope };

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'expired' | 'revoked';
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  /** Such as `600/1m`; null is the rate of the installation. */
  readonly rateRead: string | null;
  readonly rateWrite: string | null;
  /** What agents may do with the key over MCP. */
  readonly agentPolicy: Policy;
  /** The program that got the key with OAuth, and the user who allowed it. */
  readonly clientId: string | null;
  readonly grantedBy: string | null;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  /** Of an agency key: for sandboxes instead of live sub-accounts. */
  readonly sandbox?: boolean;
}

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: 'owner' | MemberRole;
}

export const MEMBER_ROLES = ['admin', 'agent', 'viewer', 'integrator'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly actorKind: string;
  readonly actor: string;
  readonly keyPrefix: string | null;
  readonly recordId: string;
  /** Of records other than contacts. */
  readonly recordName: string | null;
  readonly contact: { readonly name: string; readonly isDeleted: boolean } | null;
  readonly changes: Changes | null;
}

/** How long the old value of a rotated key works. */
const ROTATION_GRACE = '24h';

const useSubAccountId = (): string => usePlace().membership.subAccountId;

/** Returns a mutation by console endpoints; afterwards the list `kind` is fetched again. */
function useChange<V, R>(
  kind: string,
  change: (calls: ReturnType<typeof consoleCalls>, given: V) => Promise<R>,
) {
  const subAccountId = useSubAccountId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: V) => change(consoleCalls(subAccountId), given),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, kind] }),
  });
}

export function useKeys() {
  const subAccountId = useSubAccountId();
  return useQuery({
    queryKey: [subAccountId, 'keys'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<ApiKey[]>('GET', '/api/v1/keys', { options: { signal } }),
  });
}

/** The value of a key is only in the response to creating and rotating it. */
export type KeyWithValue = ApiKey & { readonly key?: string };

export const useCreateKey = () =>
  useChange('keys', (calls, body: NewKey) =>
    calls.data<KeyWithValue>('POST', '/api/v1/keys', { body }),
  );

interface KeyChange extends Pick<
  ApiKey,
  'id' | 'scopes' | 'rateRead' | 'rateWrite' | 'agentPolicy'
> {}

export const useChangeKey = () =>
  useChange('keys', (calls, { id, ...body }: KeyChange) =>
    calls.data<ApiKey>('PATCH', `/api/v1/keys/${id}`, { body }),
  );

export const useRotateKey = () =>
  useChange('keys', (calls, id: string) =>
    calls.data<KeyWithValue>('POST', `/api/v1/keys/${id}/rotate`, {
      body: { grace: ROTATION_GRACE },
    }),
  );

export const useRevokeKey = () =>
  useChange('keys', (calls, id: string) =>
    calls.data<ApiKey>('POST', `/api/v1/keys/${id}/revoke`, {}),
  );

export function useMembers() {
  const subAccountId = useSubAccountId();
  return useQuery({
    queryKey: [subAccountId, 'members'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Member[]>('GET', '/api/v1/users', { options: { signal } }),
  });
}

interface Invitation {
  readonly email: string;
  readonly role: MemberRole;
  readonly name?: string;
}

export const useInvite = () =>
  useChange('members', (calls, body: Invitation) =>
    calls.data<Member & { readonly link?: string | null }>('POST', '/api/v1/users', { body }),
  );

/** Creates a new sign-in link for a member; null if only an owner may see it. */
export const useMemberLink = () =>
  useChange('members', (calls, id: string) =>
    calls.data<Member & { readonly link?: string | null }>('POST', `/api/v1/users/${id}/link`, {}),
  );

export const useSetRole = () =>
  useChange('members', (calls, { id, role }: { readonly id: string; readonly role: MemberRole }) =>
    calls.data<Member>('PATCH', `/api/v1/users/${id}`, { body: { role } }),
  );

export const useRemoveMember = () =>
  useChange('members', (calls, id: string) =>
    calls.data<unknown>('DELETE', `/api/v1/users/${id}`, {}),
  );

export interface AuditFilter {
  readonly actor: string;
  readonly recordId: string;
  /** Only changes before this time. */
  readonly until: string | undefined;
}

const AUDIT_PAGE_SIZE = 50;

/** Returns the changes of a filter, newest first, page by page. */
export function useAudit({ actor, recordId, until }: AuditFilter) {
  const subAccountId = useSubAccountId();
  const query = { ...(actor && { actor }), ...(recordId && { recordId }), until };
  return useInfiniteQuery({
    queryKey: [subAccountId, 'audit', query],
    queryFn: ({ pageParam, signal }) =>
      consoleCalls(subAccountId).answer<AuditRow[], CursorMeta>('GET', '/api/v1/audit', {
        query: { ...query, limit: AUDIT_PAGE_SIZE, cursor: pageParam },
        options: { signal },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: (previous) => previous,
    staleTime: 0,
  });
}
