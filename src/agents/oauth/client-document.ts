import type { Outbound } from '#core/outbound.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { AGENCY } from '#lib/id.ts';
import { redirectTarget } from '../../accounts/grants/redirect-uri.ts';

const TIMEOUT_MS = 5_000;
/** The draft recommends 5 KB; redirect URIs of some clients need more. */
const DOCUMENT_MAX_BYTES = 16 * 1_024;
/** A changed document counts after so long. */
const KEPT_MS = 10 * MINUTE_MS;
const ENTRIES_MAX = 500;

/** Returns the document of a client, or why there is none. */
export type FetchClient = (clientId: string) => Promise<ClientDocument | string>;

interface Entry {
  readonly until: number;
  readonly document: Promise<ClientDocument | string>;
}

/** Returns a function that reads documents of clients; good ones are kept for 10 minutes. */
export function clientFetcher(outbound: Outbound, clock: () => Date): FetchClient {
  const entries = new Map<string, Entry>();
  return (clientId) => {
    const refusal = clientIdRefusal(clientId);
    if (refusal !== undefined) {
      return Promise.resolve(refusal);
    }
    const now = clock().getTime();
    const known = entries.get(clientId);
    if (known && known.until > now) {
      return known.document;
    }
    if (entries.size >= ENTRIES_MAX) {
      entries.clear();
    }
    const fetched = async () => {
      const document = await fetchDocument(outbound, clientId);
      // A refusal is shared by simultaneous requests only.
      if (typeof document === 'string' && entries.get(clientId) === entry) {
        entries.delete(clientId);
      }
      return document;
    };
    const entry: Entry = { until: now + KEPT_MS, document: fetched() };
    entries.set(clientId, entry);
    return entry.document;
  };
}

async function fetchDocument(
  outbound: Outbound,
  clientId: string,
): Promise<ClientDocument | string> {
  const answer = await outbound.send({
    subAccountId: AGENCY,
    url: clientId,
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    readMaxBytes: DOCUMENT_MAX_BYTES + 1,
    isRepeatable: true,
  });
  const issue = 'failure' in answer ? `cannot be read: ${answer.failure}` : answerIssue(answer);
  if (issue !== undefined || 'failure' in answer) {
    return `the document at client_id ${issue}`;
  }
  const document = readClientDocument(clientId, answer.body.toString('utf8'));
  return typeof document === 'string' ? `the document at client_id ${document}` : document;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

function answerIssue(answer: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}): string | undefined {
  const { status, headers, body } = answer;
  if (status !== 200) {
    return `was answered with status ${status}`;
  }
  if (body.length > DOCUMENT_MAX_BYTES) {
    return `has more than ${DOCUMENT_MAX_BYTES / 1_024} KB`;
  }
  return JSON_TYPE.test(headers['content-type'] ?? '') ? undefined : 'is not application/json';
}

/** What a program publishes about itself at the address that is its `client_id`. */
interface ClientDocument {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const ID_MAX = 500;
const NAME_MAX = 80;
const URIS_MAX = 50;

/** Returns why a text cannot be a `client_id` that names a metadata document; undefined if it can. */
function clientIdRefusal(id: string): string | undefined {
  const url = URL.parse(id);
  if (url?.protocol !== 'https:') {
    return 'client_id must be an https:// address of a client ID metadata document';
  }
  if (id.length > ID_MAX) {
    return `client_id must have at most ${ID_MAX} characters`;
  }
  const isPlain = url.username === '' && url.password === '' && !id.includes('#');
  // Other spellings of the same address would be another client.
  if (!isPlain || url.pathname === '/' || url.href !== id) {
    return 'client_id must be a normalized address with a path, without user name and fragment';
  }
  return undefined;
}

/** Returns the checked document of a client, or why it cannot be used. */
function readClientDocument(clientId: string, text: string): ClientDocument | string {
  const document = parsed(text);
  if (document === undefined) {
    return 'is not a JSON object';
  }
  if (document['client_id'] !== clientId) {
    return 'has another client_id than its address';
  }
  if (
    (document['token_endpoint_auth_method'] ?? 'none') !== 'none' ||
    'client_secret' in document
  ) {
    return 'has another token_endpoint_auth_method than none';
  }
  if (!allows(document['grant_types'], 'authorization_code')) {
    return 'lacks authorization_code in grant_types';
  }
  if (!allows(document['response_types'], 'code')) {
    return 'lacks code in response_types';
  }
  const redirectUris = textsOf(document['redirect_uris']);
  if (redirectUris === undefined || !redirectUris.some((uri) => redirectTarget(uri))) {
    return 'lacks redirect_uris that can be used';
  }
  return { clientId, name: nameOf(document['client_name'], clientId), redirectUris };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** A list that is missing has its default, which is enough. */
const allows = (list: unknown, wanted: string): boolean =>
  list === undefined || (textsOf(list)?.includes(wanted) ?? false);

function textsOf(list: unknown): readonly string[] | undefined {
  const isList =
    Array.isArray(list) &&
    list.length <= URIS_MAX &&
    list.every((one): one is string => typeof one === 'string');
  return isList ? list : undefined;
}

/** Control and formatting characters could make a name look like another text of the page. */
function nameOf(name: unknown, clientId: string): string {
  const shown = typeof name === 'string' ? name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : '';
  return shown === '' ? new URL(clientId).host : Array.from(shown).slice(0, NAME_MAX).join('');
}
