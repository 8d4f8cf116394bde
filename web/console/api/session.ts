import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { consoleCalls } from './client.ts';
import type { Membership, Session } from './console-types.ts';
import { forgetSavedDrafts } from '../inbox/local-drafts.ts';
import { endSession, SESSION_KEY } from './query-client.ts';

const calls = consoleCalls();

async function fetchSession(): Promise<Session | null> {
  try {
    return await calls.data<Session>('GET', '/api/session', {});
  } catch (error) {
    if (error instanceof FrontdeskError && error.status === 401) {
      return null;
    }
    throw error;
  }
}

/**
 * Returns the query of the signed-in user; its data is null when there is none. A mailed link opens in
 * another tab: this one finds the session when the user comes back to it.
 */
export const useSession = () =>
  useQuery({
    queryKey: SESSION_KEY,
    queryFn: fetchSession,
    staleTime: Infinity,
    refetchOnWindowFocus: ({ state }) => (state.data === null ? 'always' : false),
  });

/** Returns whether the user signed in within the last 10 minutes, from the server each time. */
export const useIsRecentSignIn = () =>
  useQuery({
    queryKey: [...SESSION_KEY, 'isRecent'],
    queryFn: async () => (await fetchSession())?.isRecent ?? false,
    staleTime: 0,
    gcTime: 0,
  });

export interface Place {
  readonly session: Session;
  readonly membership: Membership;
}

export const PlaceContext = createContext<Place | null>(null);

/** Returns who is signed in, and the sub-account that the page is about. */
export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === null) {
    throw new Error('usePlace needs a PlaceContext above it');
  }
  return place;
}

/** Returns whether the user may do what only admins may, such as campaigns, webhooks and settings. */
export function useIsAdmin(): boolean {
  const { role } = usePlace().membership;
  return role === 'owner' || role === 'admin';
}

/** Returns whether the user has the page Webhooks alone. */
export const useIsIntegrator = (): boolean => usePlace().membership.role === 'integrator';

/** Returns whether the user may change records; viewers only read them. */
export const useCanWrite = (): boolean => usePlace().membership.role !== 'viewer';

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => calls.data('POST', '/api/sign-out', {}),
    onSuccess() {
      endSession(queries);
      forgetSavedDrafts();
    },
  });
}
