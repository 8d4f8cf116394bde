import { DAY_MS } from '#lib/duration.ts';

/** The recent failures of a receiver, as stored with its subscription. */
export interface Health {
  readonly consecutiveFailures: number;
  /** For how long the recorded attempts have failed, by the database's clock; null after a success. */
  readonly failingForMs: number | null;
  /** How long the breaker stays open: no attempt is made meanwhile. */
  readonly pauseMs: number | null;
}

/** Concurrent requests to a healthy receiver, and to one whose breaker is open. */
export const AT_ONCE = 24;
const PROBES_AT_ONCE = 1;

export const BREAKS_AT = 100;
const PAUSE_FIRST_MS = 1_000;
export const PAUSE_MAX_MS = 30_000;
const GIVES_UP_AFTER_MS = 5 * DAY_MS;

/** Returns the health after one more attempt. */
export function after(health: Health, succeeded: boolean): Health {
  if (succeeded) {
    return { consecutiveFailures: 0, failingForMs: null, pauseMs: null };
  }
  const consecutiveFailures = health.consecutiveFailures + 1;
  return {
    consecutiveFailures,
    failingForMs: health.failingForMs ?? 0,
    pauseMs: isBroken({ consecutiveFailures }) ? pauseAfter(consecutiveFailures) : null,
  };
}

type Failures = Pick<Health, 'consecutiveFailures'>;

const isBroken = ({ consecutiveFailures }: Failures): boolean => consecutiveFailures >= BREAKS_AT;

/** Returns the limit of concurrent requests: one for a failing receiver. */
export const requestsAtOnce = (health: Failures): number =>
  isBroken(health) ? PROBES_AT_ONCE : AT_ONCE;

/** Doubles with each probe. Requests in flight when the breaker opened are not counted. */
const pauseAfter = (failures: number): number =>
  Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** Math.max(0, failures - BREAKS_AT - AT_ONCE));

/** Returns whether every attempt has failed for five days (contract 6). */
export const isGivenUp = ({ failingForMs }: Health): boolean =>
  (failingForMs ?? 0) >= GIVES_UP_AFTER_MS;
