import type { FrontdeskError } from './error.ts';

const FIRST_WAIT_MS = 500;
const WAIT_MAX_MS = 8_000;

/** Answers, and their absence, that another try may better. */
const PASSING_STATUS = new Set([408, 500, 502, 503, 504]);
const PASSING_CODE = new Set<string>(['CONNECTION_FAILED', 'TIMEOUT']);

interface Circumstances {
  readonly isRepeatable: boolean;
  readonly maxTries: number;
  readonly random: () => number;
}

/** How long to wait for another try, in milliseconds; undefined where there is to be none. */
export function waitAfter(
  error: FrontdeskError,
  { isRepeatable, maxTries, random }: Circumstances,
): number | undefined {
  const { code, status = 0, tries, retryAfterMs = 0 } = error;
  // Our own earlier try still runs: what becomes of it is the answer, and asking is no try.
  const isUnderWay = code === 'IDEMPOTENCY_IN_PROGRESS';
  // Refused before anything was done, so that even what cannot be repeated can be sent again.
  const isRefusedForNow = status === 429;
  const isPassing = isRepeatable && (PASSING_STATUS.has(status) || PASSING_CODE.has(code));
  if (!isUnderWay && (tries >= maxTries || !(isRefusedForNow || isPassing))) {
    return undefined;
  }
  // Half of it is random, so that clients who failed together do not come again together.
  const step = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), WAIT_MAX_MS);
  return Math.round(retryAfterMs + (step * (1 + random())) / 2);
}
