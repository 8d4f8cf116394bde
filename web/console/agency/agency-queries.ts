import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import { SESSION_KEY } from '../api/query-client.ts';
import type { ApiKey, KeyWithValue, MemberRole, NewKey } from '../settings/settings-queries.ts';

export interface SubAccount {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  readonly sandbox: boolean;
  readonly createdAt: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly status: 'active' | 'disabled';
  readonly isOwner: boolean;
  readonly memberships: readonly { readonly subAccountId: string; readonly role: MemberRole }[];
  readonly lastSignInAt: string | null;
}

/** A key of the installation; null is the agency. */
export type AnyKey = ApiKey & { readonly subAccountId: string | null };

type Kind = 'sub-accounts' | 'users' | 'keys';

/** Returns a list of the whole installation. */
function useAgencyList<T>(kind: Kind) {
  return useQuery({
    queryKey: ['agency', kind],
    queryFn: ({ signal }) =>
      consoleCalls().data<T[]>('GET', `/api/agency/${kind}`, { options: { signal } }),
  });
}

export const useSubAccounts = () => useAgencyList<SubAccount>('sub-accounts');
export const useUsers = () => useAgencyList<User>('users');
export const useAllKeys = () => useAgencyList<AnyKey>('keys');

/** Returns a mutation; afterwards the lists of the installation and the session are fetched again. */
function useAgencyChange<V, R>(change: (given: V) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        [['agency'], SESSION_KEY].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
}

interface NewSubAccount {
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  readonly locale: string;
  readonly sandbox: boolean;
}

export const useCreateSubAccount = () =>
  useAgencyChange((body: NewSubAccount) =>
    consoleCalls().data<SubAccount>('POST', '/api/agency/sub-accounts', { body }),
  );

export const useCloseSubAccount = () =>
  useAgencyChange(({ id, name }: { readonly id: string; readonly name: string }) =>
    consoleCalls(id).data('POST', '/api/v1/sub-account/close', { body: { name } }),
  );

export const useInviteOwner = () =>
  useAgencyChange((body: { readonly email: string; readonly name?: string }) =>
    consoleCalls().data<User & { readonly link?: string }>('POST', '/api/agency/users', { body }),
  );

export interface UserChange {
  readonly id: string;
  readonly change: Partial<Pick<User, 'status' | 'isOwner'>>;
}

export const useUpdateUser = () =>
  useAgencyChange(({ id, change }: UserChange) =>
    consoleCalls().data<User>('PATCH', `/api/agency/users/${id}`, { body: change }),
  );

export const useUserLink = () =>
  useAgencyChange((id: string) =>
    consoleCalls().data<User & { readonly link?: string }>(
      'POST',
      `/api/agency/users/${id}/link`,
      {},
    ),
  );

export const useSignOutUser = () =>
  useAgencyChange((id: string) =>
    consoleCalls().data<User>('POST', `/api/agency/users/${id}/sign-out`, {}),
  );

export const useCreateAgencyKey = () =>
  useAgencyChange((body: NewKey) =>
    consoleCalls().data<KeyWithValue>('POST', '/api/agency/keys', { body }),
  );

/** Revokes a key of the agency, or of the sub-account that it belongs to. */
export const useRevokeAnyKey = () =>
  useAgencyChange(({ id, subAccountId }: AnyKey) =>
    subAccountId === null
      ? consoleCalls().data('POST', `/api/agency/keys/${id}/revoke`, {})
      : consoleCalls(subAccountId).data('POST', `/api/v1/keys/${id}/revoke`, {}),
  );
