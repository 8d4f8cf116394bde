import { openApi, type Api } from '../../../sdk/src/api.ts';
import { appointments } from '../../../sdk/src/generated/appointments.ts';
import { calendars } from '../../../sdk/src/generated/calendars.ts';
import { contacts } from '../../../sdk/src/generated/contacts.ts';
import { conversations } from '../../../sdk/src/generated/conversations.ts';
import { events } from '../../../sdk/src/generated/events.ts';
import { opportunities } from '../../../sdk/src/generated/opportunities.ts';
import { pipelines } from '../../../sdk/src/generated/pipelines.ts';
import { tasks } from '../../../sdk/src/generated/tasks.ts';
import { team } from '../../../sdk/src/generated/team.ts';
import { webhooks } from '../../../sdk/src/generated/webhooks.ts';
import { settingsOf } from '../../../sdk/src/settings.ts';

/** Enough to get over a restart of the server; after that, the user decides. */
const PATIENCE = { maxTries: 3, timeoutMs: 20_000, totalTimeoutMs: 30_000 };
/** The client insists on a key. The session's cookie takes its place, and it is not sent. */
const NO_KEY = 'session';

const fetchWithSession: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('authorization');
  return fetch(input, { ...init, headers, keepalive: isDraft(init) });
};

/** Browsers take bodies up to 64 KiB for it; a letter has up to three bytes. */
const KEEPALIVE_MAX_CHARS = 20_000;

/** Drafts are saved even if their page is closed at that moment. */
const isDraft = ({ method, body }: RequestInit = {}): boolean =>
  method === 'PUT' && typeof body === 'string' && body.length < KEEPALIVE_MAX_CHARS;

const options = {
  baseUrl: `${location.origin}/console`,
  fetch: fetchWithSession,
  ...PATIENCE,
};

/** Returns the caller of endpoints that only the console, or only one of its pages, uses. */
export const consoleCalls = (subAccountId?: string): Api =>
  openApi(settingsOf(options, { apiKey: NO_KEY, subAccountId }));

/** What several pages use: the whole client would make the first screen larger. */
const clientWith = (api: Api) => ({
  appointments: appointments(api),
  calendars: calendars(api),
  contacts: contacts(api),
  conversations: conversations(api),
  events: events(api),
  opportunities: opportunities(api),
  pipelines: pipelines(api),
  tasks: tasks(api),
  team: team(api),
  webhooks: webhooks(api),
});

type Client = ReturnType<typeof clientWith>;

const clients = new Map<string, Client>();

/** Returns the client of the API for a sub-account, signed in with the session. */
export function clientOf(subAccountId: string): Client {
  const known = clients.get(subAccountId);
  const client = known ?? clientWith(consoleCalls(subAccountId));
  clients.set(subAccountId, client);
  return client;
}
