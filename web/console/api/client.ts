import { openApi, type Api } from '../../../sdk/src/api.ts';
import { createClient, type Client } from '../../../sdk/src/create-client.ts';
import { settingsOf } from '../../../sdk/src/settings.ts';

/** Enough to get over a restart of the server; after that, the user decides. */
const PATIENCE = { maxTries: 3, timeoutMs: 20_000, totalTimeoutMs: 30_000 };
/** The client insists on a key. The session's cookie takes its place, and it is not sent. */
const NO_KEY = 'session';

const fetchWithSession: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  return fetch(input, { ...init, headers });
};

const options = {
  baseUrl: `${location.origin}/console`,
  fetch: fetchWithSession,
  ...PATIENCE,
};

const clients = new Map<string, Client>();

/** Returns the client of the API for a sub-account, signed in with the session. */
export function clientOf(subAccountId: string): Client {
  const known = clients.get(subAccountId);
  const client = known ?? createClient({ ...options, apiKey: NO_KEY, subAccountId });
  clients.set(subAccountId, client);
  return client;
}

/** Returns the caller of endpoints that only the console has. */
export const consoleCalls = (subAccountId?: string): Api =>
  openApi(settingsOf(options, { apiKey: NO_KEY, subAccountId }));
