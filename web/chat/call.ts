const TIMEOUT_MS = 20_000;
/** Where a 429 does not say how long, or the site may not read it. */
const DEFAULT_WAIT_S = 60;

export interface Refusal {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Of a 429: how long to wait. */
  readonly waitS: number;
}

/** What was answered, or why nothing was. */
export type Outcome<T> =
  | { readonly data: T; readonly hasMore: boolean; readonly refusal?: undefined }
  | { readonly data?: undefined; readonly refusal: Refusal };

/**
 * Sends a request without cookies and reads `data` of its answer; what goes again with its `key` is
 * done once. Never throws.
 */
export async function call<T>(url: string, body?: object, key?: string): Promise<Outcome<T>> {
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
    return data ? { data, hasMore: meta?.hasMore === true } : NO_ANSWER;
  } catch {
    return NO_ANSWER;
  }
}

interface Envelope<T> {
  readonly data: T;
  readonly meta?: { readonly hasMore?: boolean };
}

const NO_ANSWER = { refusal: { status: 0, waitS: 0 } };

function waitOf({ status, headers }: Response): number {
  const told = Number(headers.get('retry-after') ?? Number.NaN);
  return status === 429 ? (told > 0 ? told : DEFAULT_WAIT_S) : 0;
}
