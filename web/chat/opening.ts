import { isWithin } from '../../src/chat/business-hours.ts';
import type { Configuration } from './api.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Returns whether the team is online now. The server said so when the configuration was fetched; since
 * then, the hours may have begun or ended.
 */
export function isOnlineNow(configuration: Configuration, fetchedAt: number): boolean {
  const { online } = configuration;
  const isOpen = isOpenAt(configuration, Date.now());
  return isOpen === undefined || isOpen === isOpenAt(configuration, fetchedAt) ? online : isOpen;
}

/** Returns the first minute within the hours of the coming week, in milliseconds since 1970. */
export function nextOpening(configuration: Configuration): number | undefined {
  const now = Date.now() - (Date.now() % MINUTE_MS);
  for (let at = now; at < now + 7 * DAY_MS; at += STEP_MS) {
    if (isOpenAt(configuration, at)) {
      return firstMinute(configuration, at);
    }
  }
  return undefined;
}

/** Windows are found in coarse steps first. */
const STEP_MS = 15 * MINUTE_MS;

function firstMinute(configuration: Configuration, at: number): number {
  let first = at;
  while (first > at - STEP_MS && isOpenAt(configuration, first - MINUTE_MS)) {
    first -= MINUTE_MS;
  }
  return first;
}

/** Undefined without hours, or if the browser does not know the time zone. */
function isOpenAt({ businessHours, timezone }: Configuration, at: number): boolean | undefined {
  try {
    return businessHours && timezone !== null
      ? isWithin(businessHours, timezone, new Date(at))
      : undefined;
  } catch {
    return undefined;
  }
}
