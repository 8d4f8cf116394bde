import type { Outbound } from '#core/outbound.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { clientIdRefusal, readClientDocument, type ClientDocument } from './client-document.ts';

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
