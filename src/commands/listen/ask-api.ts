import { Fault } from '#core/fault.ts';
import { MINUTE_MS } from '#lib/duration.ts';

const TIMEOUT_MS = 15_000;
const RETRY_MS = 2_000;
const WAIT_MAX_MS = MINUTE_MS;

/** Answers that another try may better. */
const PASSING = new Set([408, 429]);
const NOT_ALLOWED = new Set([401, 403]);

export interface Api {
  readonly url: string;
  readonly key: string;
  /** With an agency key. */
  readonly subAccount: string | undefined;
}

/** The API has no answer now: why, and how long to leave it alone. */
export interface Away {
  readonly why: string;
  readonly waitMs: number;
}

/** Reads a path of the API. Throws a Fault where it refuses, which no other try would change. */
export async function callApi<T>(api: Api, path: string, told: AbortSignal): Promise<T | Away> {
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
