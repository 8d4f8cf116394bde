import type { FrontdeskError } from './error.ts';

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
export function waitAfter(
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
