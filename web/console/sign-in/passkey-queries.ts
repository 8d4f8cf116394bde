import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

const KEY = ['passkeys'];
const calls = consoleCalls();

/** Returns the passkeys of the signed-in user. */
export const usePasskeys = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => calls.data<Passkey[]>('GET', '/api/passkeys', { options: { signal } }),
    staleTime: 0,
  });

function useRefetch() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KEY });
}

/** Creates a passkey on this device; the script for it is loaded when it is needed. */
export const useAddPasskey = () =>
  useMutation({
    mutationFn: async () => (await import('./passkeys.ts')).registerPasskey(),
    onSuccess: useRefetch(),
  });

export const useDeletePasskey = () =>
  useMutation({
    mutationFn: (id: string) => calls.data<unknown>('DELETE', `/api/passkeys/${id}`, {}),
    onSuccess: useRefetch(),
  });
