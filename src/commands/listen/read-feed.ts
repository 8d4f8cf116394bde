import { Fault } from '#core/fault.ts';
import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';

const LOOK_EVERY_MS = 1_000;
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
 * The pull feed from its end on, page by page; pages without events too, the first of which says
 * that the key is good. Waits for an API that is away, and ends when told. Throws where the API
 * refuses.
 */
export async function* readFeed(
  api: Api,
  told: AbortSignal,
  report: (why: string | undefined) => void,
): AsyncGenerator<readonly FeedEvent[]> {
  let query: Record<string, string> = { start: 'latest', limit: '1' };
  while (!told.aborted) {
    const path = `/api/v1/events?${new URLSearchParams(query).toString()}`;
    const answer = await callApi<Page>(api, path, told);
    if (told.aborted) {
      return;
    }
    report('why' in answer ? answer.why : undefined);
    if ('why' in answer) {
      await sleep(answer.waitMs, told);
      continue;
    }
    const { data, meta } = answer;
    yield data;
    query = { after: meta.cursor, limit: String(PAGE_MAX) };
    if (!meta.hasMore) {
      await sleep(LOOK_EVERY_MS, told);
    }
  }
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 2_000;
const WAIT_MAX_MS = MINUTE_MS;

/** Answers that another try may better. */
const PASSING = new Set([408, 429]);
const NOT_ALLOWED = new Set([401, 403]);

interface Api {
  readonly url: string;
  readonly key: string;
  /** With an agency key. */
  readonly subAccount: string | undefined;
}

/** The API has no answer now: why, and how long to leave it alone. */
interface Away {
  readonly why: string;
  readonly waitMs: number;
}

/** Reads a path of the API. Throws a Fault where it refuses, which no other try would change. */
async function callApi<T>(api: Api, path: string, told: AbortSignal): Promise<T | Away> {
  const { url, key, subAccount } = api;
  const request = {
    headers: {
      authorization: `Bearer ${key}`,
      ...(subAccount !== undefined && { 'x-sub-account-id': subAccount }),
    },
    signal: AbortSignal.any([told, AbortSignal.timeout(TIMEOUT_MS)]),
  };
  try {
    const response = await fetch(url.replace(/\/+$/, '') + path, request);
    return await readAnswer<T>(response);
  } catch (error) {
    if (error instanceof Fault) {
      throw error;
    }
    return { why: failureOf(error), waitMs: RETRY_MS };
  }
}

async function readAnswer<T>(response: Response): Promise<T | Away> {
  const { status, ok, headers } = response;
  const body = parsed(await response.text());
  if (ok && body?.data !== undefined) {
    return body as T;
  }
  const said = body?.error?.message;
  // A proxy in front of it may say 404 while it starts; its own refusals come in an envelope.
  const isRefusal =
    NOT_ALLOWED.has(status) ||
    (said !== undefined && status >= 400 && status < 500 && !PASSING.has(status));
  if (isRefusal) {
    throw new Fault('FORBIDDEN', `the API refuses: ${said ?? `it answered ${status}`}`);
  }
  const why = said ?? (ok ? 'something else answers there' : `it answered ${status}`);
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

/** Why `fetch` came to no answer: what failed underneath, since its own message never says. */
export function failureOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') {
    return 'no answer in time';
  }
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error ? reason.message : message;
}

const REPEAT_MS = 10_000;
const GIVE_UP_MS = MINUTE_MS;

interface AwayOptions {
  readonly url: string;
  /** Waits without limit. */
  readonly retry: boolean;
  readonly complain: (line: string) => void;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
}

/**
 * Reports that an API gives no events: at once, every 10 s with the number of attempts, and when it is
 * back. Throws a Fault where it was not reached within a minute, unless `retry` is set.
 */
export function reportAway({ url, retry, complain, now }: AwayOptions) {
  let since: number | undefined;
  let saidAt = 0;
  let attempts = 0;
  let wasReached = false;
  return (why: string | undefined): void => {
    if (why === undefined) {
      if (since !== undefined) {
        complain(`reads events from ${url} again, after ${seconds(now() - since)}`);
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
      saidAt = at;
      complain(`cannot read events from ${url}: ${why}; trying again`);
    } else if (!retry && !wasReached && at - since >= GIVE_UP_MS) {
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        `could not read events from ${url} for ${seconds(at - since)}: ${why}; check --url, or wait without limit with --retry`,
      );
    } else if (at - saidAt >= REPEAT_MS) {
      saidAt = at;
      complain(
        `still cannot read events from ${url} after ${seconds(at - since)}: ${why}; attempt ${attempts}`,
      );
    }
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
