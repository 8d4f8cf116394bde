import { MutationCache, QueryCache, type QueryClient } from '@tanstack/react-query';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { CurrentQueryClient } from './current-query-client.ts';

export const SESSION_KEY = ['session'] as const;

/** How long a record is shown without asking again; the stream announces changes before that. */
const FRESH_MS = 60_000;

/** Returns the cache of everything that the server holds. The client retries calls; this does not. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof FrontdeskError && error.status === 401) {
      client.setQueryData(SESSION_KEY, null);
    }
  };
  const client: QueryClient = new CurrentQueryClient({
    queryCache: new QueryCache({ onError }),
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
