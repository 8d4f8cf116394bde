import { MutationCache, QueryCache, type Query, type QueryClient } from '@tanstack/react-query';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { CurrentQueryClient } from './current-query-client.ts';

export const SESSION_KEY = ['session'] as const;
export const SIGN_IN_METHODS_KEY = ['sign-in-methods'] as const;

/** What the sign-in page shows. */
const OF_NO_USER: ReadonlySet<unknown> = new Set([...SESSION_KEY, ...SIGN_IN_METHODS_KEY]);

/** How long a record is shown without asking again; the stream announces changes before that. */
const FRESH_MS = 60_000;

/** Returns the cache of everything that the server holds. The client retries calls; this does not. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof FrontdeskError && error.status === 401) {
      endSession(client);
    }
  };
  const onSuccess = (data: unknown, { queryKey }: Query<unknown, unknown, unknown>) => {
    if (data === null && queryKey.length === 1 && queryKey[0] === SESSION_KEY[0]) {
      endSession(client);
    }
  };
  const client: QueryClient = new CurrentQueryClient({
    queryCache: new QueryCache({ onError, onSuccess }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Calls are made offline too: the browser's own idea of it is often wrong.
      queries: {
        retry: false,
        staleTime: FRESH_MS,
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

/** Leads to the sign-in page, and removes what the next user of this browser must not see. */
export function endSession(client: QueryClient): void {
  client.setQueryData(SESSION_KEY, null);
  client.removeQueries({ predicate: ({ queryKey }) => !OF_NO_USER.has(queryKey[0]) });
}
