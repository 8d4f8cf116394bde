import { Fault } from '#core/fault.ts';
import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';

const POLL_MS = 1_000;
const PAGE_MAX = 100;

export interface FeedEvent {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: { readonly contactId?: string };
}

interface Page {
  readonly data: readonly FeedEvent[];
  readonly meta: { readonly cursor: string; readonly hasMore: boolean };
}

/**
 * Reads the feed from its end on, page by page, including empty pages: the first one shows that the key
 * works. Waits while the API is unavailable. Throws a Fault if the API refuses.
 */
export async function* readFeed(
  api: Api,
  signal: AbortSignal,
  report: (why: string | undefined) => void,
): AsyncGenerator<readonly FeedEvent[]> {
  let query: Record<string, string> = { start: 'latest', limit: '1' };
  while (!signal.aborted) {
    const path = `/api/v1/events?${new URLSearchParams(query).toString()}`;
    const answer = await callApi<Page>(api, path, signal);
    if (signal.aborted) {
      return;
    }
    report('why' in answer ? answer.why : undefined);
    if ('why' in answer) {
      await sleep(answer.waitMs, signal);
      continue;
    }
    const { data, meta } = answer;
    yield data;
    query = { after: meta.cursor, limit: String(PAGE_MAX) };
    if (!meta.hasMore) {
      await sleep(POLL_MS, signal);
    }
  }
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 2_000;
const WAIT_MAX_MS = MINUTE_MS;

/** Statuses that a retry may change. */
const TEMPORARY = new Set([408, 429]);
const NOT_ALLOWED = new Set([401, 403]);

interface Api {
  readonly url: string;
  readonly key: string;
  /** Needed with an agency key. */
  readonly subAccount: string | undefined;
}

/** The API is unavailable: the reason, and how long to wait. */
interface Unavailable {
  readonly why: string;
  readonly waitMs: number;
}

/** Reads a path of the API. Throws a Fault if it refuses for good. */
async function callApi<T>(api: Api, path: string, signal: AbortSignal): Promise<T | Unavailable> {
  const { url, key, subAccount } = api;
  const request = {
    headers: {
      authorization: `Bearer ${key}`,
      ...(subAccount !== undefined && { 'x-sub-account-id': subAccount }),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  };
  try {
    const response = await fetch(url.replace(/\/+$/, '') + path, request);
    return await readResponse<T>(response);
  } catch (error) {
    if (error instanceof Fault) {
      throw error;
    }
    return { why: failureOf(error), waitMs: RETRY_MS };
  }
}

async function readResponse<T>(response: Response): Promise<T | Unavailable> {
  const { status, ok, headers } = response;
  const body = parsed(await response.text());
  if (ok && body?.data !== undefined) {
    return body as T;
  }
  const message = body?.error?.message;
  // A proxy may return 404 while Frontdesk starts; its own refusals are in an envelope.
  const isRefusal =
    NOT_ALLOWED.has(status) ||
    (message !== undefined && status >= 400 && status < 500 && !TEMPORARY.has(status));
  if (isRefusal) {
    throw new Fault(
      'FORBIDDEN',
      `the API refuses the request: ${message ?? `status ${status}`}; check --key and --sub-account`,
    );
  }
  const why = message ?? (ok ? 'another server responds there' : `status ${status}`);
  return { why, waitMs: waitOf(headers.get('retry-after')) };
}

interface Body {
  readonly data?: unknown;
  readonly error?: { readonly message?: string };
}

function parsed(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds, as Frontdesk writes it. */
function waitOf(retryAfter: string | null): number {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
  return Math.min(Math.max(seconds * 1_000, RETRY_MS), WAIT_MAX_MS);
}

/** Returns why `fetch` failed: its cause, since its own message does not name it. */
export function failureOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') {
    return `no response within ${TIMEOUT_MS / 1_000} s`;
  }
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error ? reason.message : message;
}

const REPEAT_MS = 10_000;
const GIVE_UP_MS = MINUTE_MS;

interface AwayOptions {
  readonly url: string;
  /** Never gives up. */
  readonly retry: boolean;
  readonly print: (line: string) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Reports that an API is unavailable: at once, every 10 s with the number of attempts, and when it is
 * back. Throws a Fault if it was not reached within a minute, unless `retry` is set.
 */
export function reportAway({ url, retry, print, now }: AwayOptions) {
  let since: number | undefined;
  let reportedAt = 0;
  let attempts = 0;
  let wasReached = false;
  return (why: string | undefined): void => {
    if (why === undefined) {
      if (since !== undefined) {
        print(`reading events from ${url} again, after ${seconds(now() - since)}`);
      }
      since = undefined;
      attempts = 0;
      wasReached = true;
      return;
    }
    attempts += 1;
    const at = now();
    if (since === undefined) {
      since = at;
      reportedAt = at;
      print(`cannot read events from ${url}: ${why}; trying again`);
    } else if (!retry && !wasReached && at - since >= GIVE_UP_MS) {
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        `could not read events from ${url} for ${seconds(at - since)}: ${why}; check --url, or wait without limit with --retry`,
      );
    } else if (at - reportedAt >= REPEAT_MS) {
      reportedAt = at;
      print(
        `still cannot read events from ${url} after ${seconds(at - since)}: ${why}; attempt ${attempts}`,
      );
    }
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
