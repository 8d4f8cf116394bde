import { Fault } from '#core/fault.ts';
import type { Spent, WhenStoreIsDown } from '#core/rate-limiter.ts';
import { openMemoryStore } from './stores/memory-store.ts';
import type { Consumption } from './rate-store.ts';

/** While the store is down, one spending in so long finds out whether it is back. */
const ASK_AGAIN_AFTER_MS = 1_000;

/** The part of a pino logger used here. */
export interface RateLimitLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/**
 * Keeps a store's outage from the callers: their spendings are counted in this process or refused,
 * as they asked. One line is logged when an outage begins and one when it ends.
 */
export function withFallback(
  consume: (consumption: Consumption) => Promise<Spent>,
  log: RateLimitLog,
) {
  const countHere = openMemoryStore();
  let downSince: number | undefined;
  let askAgainAt = 0;

  function noteFailure(error: unknown): void {
    askAgainAt = Date.now() + ASK_AGAIN_AFTER_MS;
    if (downSince === undefined) {
      downSince = Date.now();
      log.warn({ err: error }, 'the rate limit store is down: counting in this process alone');
    }
  }

  function noteSuccess(): void {
    if (downSince !== undefined) {
      log.info({ downMs: Date.now() - downSince }, 'the rate limit store is back');
      downSince = undefined;
    }
  }

  return async (consumption: Consumption, whenDown: WhenStoreIsDown): Promise<Spent> => {
    if (downSince !== undefined && Date.now() < askAgainAt) {
      return withoutStore(consumption, whenDown, countHere);
    }
    askAgainAt = Date.now() + ASK_AGAIN_AFTER_MS; // in an outage, only this one asks
    try {
      const spent = await consume(consumption);
      noteSuccess();
      return spent;
    } catch (error) {
      noteFailure(error);
      return withoutStore(consumption, whenDown, countHere);
    }
  };
}

function withoutStore(
  consumption: Consumption,
  whenDown: WhenStoreIsDown,
  countHere: (consumption: Consumption) => Spent,
): Spent {
  if (whenDown === 'refuse') {
    const retry = { 'retry-after': String(ASK_AGAIN_AFTER_MS / 1_000) };
    throw new Fault('SERVICE_UNAVAILABLE', 'requests cannot be counted now', undefined, retry);
  }
  return countHere(consumption);
}
