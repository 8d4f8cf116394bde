import { FrontdeskError } from './error.ts';
import { requestOf, type Call, type PreparedRequest } from './request.ts';
import type { Settings } from './settings.ts';
import { withinTime } from './timers.ts';

/** Returns the envelope of a successful call. Retries if that can help and is safe. */
export async function send(settings: Settings, call: Call): Promise<object> {
  const { random, now, sleep } = settings;
  const { options } = call;
  const request = requestOf(settings, call);
  const maxTries = options?.maxTries ?? settings.maxTries;
  const timeoutMs = options?.timeoutMs ?? settings.timeoutMs;
  const deadline = now() + (options?.totalTimeoutMs ?? settings.totalTimeoutMs);
  for (let tries = 1; ; tries += 1) {
    const left = deadline - now();
    const outcome = await attempt(settings, request, {
      tries,
      timeoutMs: Math.min(timeoutMs, left),
      signal: options?.signal,
    });
    if (!(outcome instanceof FrontdeskError)) {
      return outcome;
    }
    const waitMs = waitAfter(outcome, { ...request, maxTries, random });
    if (waitMs === undefined || now() + waitMs >= deadline) {
      throw outcome;
    }
    await sleep(waitMs, options?.signal);
  }
}

interface Attempt {
  /** The number of attempts, including this one. */
  readonly tries: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes one attempt; returns the envelope of a success, or the error. Throws when the caller
 * aborts.
 */
async function attempt(
  { fetch, now }: Settings,
  { url, init }: PreparedRequest,
  { tries, timeoutMs, signal: outer }: Attempt,
): Promise<object | FrontdeskError> {
  try {
    return await withinTime(timeoutMs, outer, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      return readAnswer(response, await response.text(), { tries, now });
    });
  } catch (cause) {
    outer?.throwIfAborted();
    if (cause instanceof DOMException && cause.name === 'TimeoutError') {
      const message = `no response within ${timeoutMs} ms`;
      return new FrontdeskError({ code: 'TIMEOUT', message, tries, cause });
    }
    const { origin } = new URL(url);
    const message = `${origin} cannot be reached`;
    return new FrontdeskError({ code: 'CONNECTION_FAILED', message, tries, cause });
  }
}

interface Context {
  readonly tries: number;
  readonly now: () => number;
}

interface Envelope {
  readonly data?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** Returns the envelope of a success, or the error of a refusal. */
function readAnswer(
  { ok, status, headers }: Response,
  text: string,
  { tries, now }: Context,
): object | FrontdeskError {
  const envelope = parsed(text);
  if (ok && envelope?.data !== undefined) {
    return envelope;
  }
  const { code, message, details } = envelope?.error ?? {};
  const isOurs = !ok && typeof code === 'string';
  return new FrontdeskError({
    code: isOurs ? code : 'UNREADABLE_ANSWER',
    message: isOurs ? String(message) : `the response (status ${status}) is not from Frontdesk`,
    status,
    details,
    requestId: headers.get('x-request-id') ?? undefined,
    tries,
    retryAfterMs: retryAfterMs(headers, status, now()),
  });
}

function parsed(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 8_000;

/** Failures that may succeed when retried. */
const PASSING_STATUS = new Set([408, 500, 502, 503, 504]);
const PASSING_CODE = new Set<string>(['CONNECTION_FAILED', 'TIMEOUT']);

interface Circumstances {
  readonly isRepeatable: boolean;
  readonly maxTries: number;
  readonly random: () => number;
}

/** Returns the wait before the next attempt, in milliseconds; undefined if there is none. */
function waitAfter(
  error: FrontdeskError,
  { isRepeatable, maxTries, random }: Circumstances,
): number | undefined {
  const { code, status = 0, tries, retryAfterMs = 0 } = error;
  // An earlier attempt is still running: waiting for its result is not an attempt.
  const isUnderWay = code === 'IDEMPOTENCY_IN_PROGRESS';
  // Refused before anything was done, so any request can be sent again.
  const isRefusedForNow = status === 429;
  const isPassing = isRepeatable && (PASSING_STATUS.has(status) || PASSING_CODE.has(code));
  if (!isUnderWay && (tries >= maxTries || !(isRefusedForNow || isPassing))) {
    return undefined;
  }
  // Half of it is random, so that clients that failed together do not retry together.
  const step = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), WAIT_MAX_MS);
  return Math.round(retryAfterMs + (step * (1 + random())) / 2);
}

/**
 * Returns the wait that a response asks for, in milliseconds: `Retry-After` in seconds or as a
 * date, otherwise the end of a used-up rate window. Dates are compared with the server's clock,
 * which may differ from ours.
 */
function retryAfterMs(headers: Headers, status: number, now: number): number | undefined {
  const retryAfter = headers.get('retry-after');
  const date = Date.parse(headers.get('date') ?? '');
  const serverNow = Number.isNaN(date) ? now : date;
  if (retryAfter !== null && /^\d{1,9}$/.test(retryAfter)) {
    return Number(retryAfter) * 1_000;
  }
  const until = retryAfter === null ? windowEnd(headers, status) : Date.parse(retryAfter);
  return until === undefined || Number.isNaN(until) ? undefined : Math.max(0, until - serverNow);
}

function windowEnd(headers: Headers, status: number): number | undefined {
  const reset = headers.get('x-ratelimit-reset');
  return status === 429 && reset !== null ? Number(reset) * 1_000 : undefined;
}
