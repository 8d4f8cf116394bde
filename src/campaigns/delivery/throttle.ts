const SECOND_MS = 1_000;

/** Limits the number of mails in any second to the rate. */
export interface TokenBucket {
  room(nowMs: number): number;
  take(count: number): void;
  /** Milliseconds until there is room again. */
  waitMs(nowMs: number): number;
}

const UNLIMITED: TokenBucket = { room: () => Infinity, take: () => undefined, waitMs: () => 0 };

/** Returns a bucket that spreads mails evenly over each second, starting with one; null is unlimited. */
export function openTokenBucket(perSecond: number | null, startMs: number): TokenBucket {
  if (perSecond === null) {
    return UNLIMITED;
  }
  const gapMs = SECOND_MS / perSecond;
  const burst = Math.max(1, Math.floor(perSecond / 20));
  let saved = 1;
  let countedAt = startMs;
  const count = (nowMs: number) => {
    saved = Math.min(burst, saved + Math.max(0, nowMs - countedAt) / gapMs);
    countedAt = nowMs;
  };
  return {
    room(nowMs) {
      count(nowMs);
      return Math.floor(saved);
    },
    take(taken) {
      saved -= taken;
    },
    waitMs(nowMs) {
      count(nowMs);
      return saved >= 1 ? 0 : Math.ceil((1 - saved) * gapMs);
    },
  };
}

/** The most claimed recipients at a time, however fast the mail server is. */
const WINDOW_MAX = 60;
/** The assumed minimum duration of a claim. */
const CLAIM_MIN_MS = 10;
/** The weight of the latest measurement in a moving average. */
const WEIGHT = 0.2;

/**
 * The number of recipients that may be claimed at a time: one per connection, and those that are sent
 * while the database claims more. A larger window would send more mails after a pause or an opt-out,
 * and leave more recipients `unknown` when a worker is killed.
 */
export interface InFlightWindow {
  size(): number;
  /** Records how long a mail took, and how many were in flight. */
  mailed(tookMs: number, concurrent: number): void;
  /** Records how long a claim took. */
  claimed(tookMs: number): void;
}

export function inFlightWindow(connections: number): InFlightWindow {
  let perMs = 0;
  let claimMs = CLAIM_MIN_MS;
  return {
    size: () => Math.min(WINDOW_MAX, connections + Math.floor(perMs * 2 * claimMs)),
    mailed(tookMs, concurrent) {
      const rate = concurrent / Math.max(tookMs, 0.1);
      perMs = perMs === 0 ? rate : perMs + WEIGHT * (rate - perMs);
    },
    claimed(tookMs) {
      claimMs = Math.max(CLAIM_MIN_MS, claimMs + WEIGHT * (tookMs - claimMs));
    },
  };
}
