const JITTER = 0.2;
/** `Retry-After` is respected up to this multiple of the wait. */
const STRETCH_MAX = 2;

export interface WaitInput {
  /** The failed attempt, from 1. */
  readonly attempt: number;
  /** The waits before the second and later attempts, in milliseconds. */
  readonly steps: readonly number[];
  readonly retryAfterMs: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** Returns the wait after a failed attempt in milliseconds, or undefined after the last one. */
export function waitAfter({ attempt, steps, retryAfterMs, random }: WaitInput): number | undefined {
  const step = steps[attempt - 1];
  if (step === undefined) {
    return undefined;
  }
  const usual = step * (1 - JITTER + 2 * JITTER * random);
  const asked = retryAfterMs === undefined ? 0 : clamp(retryAfterMs, step, step * STRETCH_MAX);
  return Math.round(Math.max(usual, asked));
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Parses `Retry-After`, seconds or an HTTP date. Returns milliseconds from now, or undefined. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  if (/^\s*\d{1,9}\s*$/.test(header)) {
    return Number(header) * 1_000;
  }
  const at = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** RFC 9110's preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^\s*[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\s*$/;
