export interface Visitor {
  readonly visitorName: string;
  readonly visitorEmail?: string;
}

interface OutgoingMessage {
  readonly text: string;
  readonly files: readonly FileRow[];
  /** The idempotency key. */
  readonly key: string;
}

/** The endpoints under `/api/chat/`. */
export interface Api {
  /** The address of the server's endpoints. */
  readonly base: string;
  configuration(): Promise<Outcome<Configuration>>;
  startSession(visitor: Visitor): Promise<Outcome<{ readonly sessionId: string }>>;
  postMessage(sessionId: string, message: OutgoingMessage): Promise<Outcome<Row>>;
  /** Says what the visitor does. A note that gets lost is not repeated. */
  note(what: 'typing' | 'seen', note: Readonly<Record<string, unknown>>): void;
  /** Returns all messages, oldest first, or only those after `after`. */
  messages(sessionId: string, after: string | undefined): Promise<Outcome<readonly Row[]>>;
  /** The URL to which a file is posted. */
  uploadUrl(sessionId: string, name: string): string;
  /** The URL of the server-sent events. */
  streamUrl(sessionId: string, after: string | undefined): string;
}

export function openApi(base: string, subAccountId: string): Api {
  const at = (path: string, query: Readonly<Record<string, string | undefined>>) => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, value);
      }
    }
    return url.href;
  };
  return {
    base,
    configuration: () => call(at('config', { subAccountId })),
    startSession: (visitor) => call(at('session', {}), { subAccountId, ...visitor }),
    postMessage: (sessionId, { text, files, key }) =>
      call(at('message', {}), { sessionId, message: text, attachmentIds: idsOf(files) }, key),
    uploadUrl: (sessionId, name) => at('files', { sessionId, name }),
    note: (what, note) => void call(at(what, {}), note),
    async messages(sessionId, after) {
      const rows: Row[] = [];
      for (let last = after; ; last = rows.at(-1)?.id) {
        const page = await call<readonly Row[]>(at('messages', { sessionId, after: last }));
        rows.push(...(page.data ?? []));
        if (page.data === undefined || page.data.length === 0 || !page.hasMore) {
          return page.data === undefined ? page : { data: rows, hasMore: false };
        }
      }
    },
    streamUrl: (sessionId, after) => at('stream', { sessionId, after }),
  };
}

const idsOf = (files: readonly FileRow[]) =>
  files.length > 0 ? files.map(({ id }) => id) : undefined;

const TIMEOUT_MS = 20_000;
/** The wait after a 429 without a valid Retry-After. */
const DEFAULT_WAIT_S = 60;

export interface Refusal {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** How many seconds a 429 asks to wait; else 0. */
  readonly waitS: number;
}

/** The response data, or the refusal. */
type Outcome<T> =
  | { readonly data: T; readonly hasMore: boolean; readonly refusal?: undefined }
  | { readonly data?: undefined; readonly refusal: Refusal };

/**
 * Sends a request without cookies and returns `data` of the response. Requests with the same `key` are
 * executed once. Never throws.
 */
async function call<T>(url: string, body?: object, key?: string): Promise<Outcome<T>> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) {
      return { refusal: { status: response.status, waitS: waitOf(response) } };
    }
    const { data, meta } = (await response.json()) as Envelope<T>;
    return data ? { data, hasMore: meta?.hasMore === true } : NO_RESPONSE;
  } catch {
    return NO_RESPONSE;
  }
}

interface Envelope<T> {
  readonly data: T;
  readonly meta?: { readonly hasMore?: boolean };
}

const NO_RESPONSE = { refusal: { status: 0, waitS: 0 } };

function waitOf({ status, headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return status === 429 ? (seconds > 0 ? seconds : DEFAULT_WAIT_S) : 0;
}

/** A file of a message. */
export interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The path on the server. */
  readonly url: string;
}

/** A message from the server: `inbound` is the visitor's own, `outbound` an agent's. */
export interface Row {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly bodyText: string;
  readonly senderName: string | null;
  /** The path of a picture on the server; older servers leave it out. */
  readonly senderPictureUrl?: string | null;
  readonly createdAt: string;
  readonly attachments?: readonly FileRow[];
}

/** Windows such as `09:00-12:00` by weekday, `mon` to `sun`; a missing day has none. */
export type BusinessHours = Readonly<Record<string, readonly string[]>>;

/** Texts by language tag and key. `{0}` stands for the first value; a text that counts may have plural forms. */
export type AddedLanguages = Readonly<
  Record<string, Readonly<Record<string, string | Readonly<Record<string, string>>>>>
>;

/** The response of `GET /api/chat/config`. */
export interface Configuration {
  readonly subAccountId: string;
  readonly enabled: boolean;
  /** The name of the business; older servers leave it out. */
  readonly brand?: string;
  readonly title: string | null;
  readonly welcomeMessage: string | null;
  readonly color: string | null;
  readonly position: 'left' | 'right' | null;
  readonly online: boolean;
  readonly businessHours: BusinessHours | null;
  readonly timezone: string | null;
  readonly requireName?: boolean;
  readonly requireEmail: boolean;
  readonly legalText: string | null;
  /** Texts that the sub-account added; older servers leave them out. */
  readonly languages?: AddedLanguages;
}

const BYTES = 16;

/** Returns an idempotency key. Without TLS there is no `randomUUID`. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** The server's limit in characters; counting UTF-16 units never exceeds it. */
export const MESSAGE_MAX = 5000;
