import { DAY_MS } from '#lib/duration.ts';
/** How a receiver has been doing, as its subscription keeps it. */
export interface Health {
  readonly consecutiveFailures: number;
  /** When the first of those failures was. */
  readonly failingSince: Date | null;
  /** No attempt before then: the breaker is open. */
  readonly pausedUntil: Date | null;
  readonly lastDeliveryAt: Date | null;
  readonly lastSuccessAt: Date | null;
}

/** Requests to one receiver at a time: of a healthy one, and of one whose breaker is open. */
const AT_ONCE = 24;
const PROBES_AT_ONCE = 1;

const BREAKS_AT = 100;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 30_000;
const GIVES_UP_AFTER_MS = 5 * DAY_MS;

/** What one more attempt makes of it. */
export function after(health: Health, succeeded: boolean, at: Date): Health {
  if (succeeded) {
    return {
      consecutiveFailures: 0,
      failingSince: null,
      pausedUntil: null,
      lastDeliveryAt: at,
      lastSuccessAt: at,
    };
  }
  const consecutiveFailures = health.consecutiveFailures + 1;
  return {
    consecutiveFailures,
    failingSince: health.failingSince ?? at,
    pausedUntil: isBroken({ consecutiveFailures })
      ? new Date(at.getTime() + pauseMs(consecutiveFailures))
      : null,
    lastDeliveryAt: at,
    lastSuccessAt: health.lastSuccessAt,
  };
}

type Failures = Pick<Health, 'consecutiveFailures'>;

const isBroken = ({ consecutiveFailures }: Failures): boolean => consecutiveFailures >= BREAKS_AT;

/** One request after the other, and pauses in between, once a receiver fails for long. */
export const requestsAtOnce = (health: Failures): number =>
  isBroken(health) ? PROBES_AT_ONCE : AT_ONCE;

/** Doubles with each probe; those that were under way when the breaker opened are none. */
const pauseMs = (failures: number): number =>
  Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** Math.max(0, failures - BREAKS_AT - AT_ONCE));

/** True once every attempt for five days has failed (contract 6). */
export const isGivenUp = ({ failingSince }: Health, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= GIVES_UP_AFTER_MS;
