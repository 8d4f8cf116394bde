import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import { SESSION_KEY, SIGN_IN_METHODS_KEY } from '../api/query-client.ts';

const calls = consoleCalls();

/** Loads the session that a successful sign-in began. */
function useSignedIn() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: SESSION_KEY });
}

interface SignedIn {
  /** The sub-account to open; null: the user's first one. */
  readonly subAccountId: string | null;
}

export const useLinkSignIn = () =>
  useMutation({
    mutationFn: (token: string) =>
      calls.data<SignedIn>('POST', '/api/sign-in/link', { body: { token } }),
    onSuccess: useSignedIn(),
  });

export const useMailSignIn = () =>
  useMutation({
    mutationFn: (email: string) => calls.data('POST', '/api/sign-in/mail', { body: { email } }),
  });

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async () => (await import('./passkeys.ts')).signInWithPasskey(),
    onSuccess: useSignedIn(),
  });

interface SignInMethods {
  readonly oidc?: boolean;
  readonly mail?: boolean;
}

/** Returns the ways to sign in that this installation has. */
export const useSignInMethods = () =>
  useQuery({
    queryKey: SIGN_IN_METHODS_KEY,
    queryFn: () => calls.data<SignInMethods>('GET', '/api/sign-in', {}),
    staleTime: Infinity,
  });
