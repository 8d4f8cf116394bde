const SECOND_MS = 1_000;

/** How many mails may go out now, so that no second has more of them than the rate. */
export interface TokenBucket {
  room(nowMs: number): number;
  take(count: number): void;
  /** Until there is room again. */
  waitMs(nowMs: number): number;
}

const UNHURRIED: TokenBucket = { room: () => Infinity, take: () => undefined, waitMs: () => 0 };

/** Even over the second, beginning with one; without a rate everything may go. */
export function paceOf(perSecond: number | null, startMs: number): TokenBucket {
  if (perSecond === null) {
    return UNHURRIED;
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

/** Claimed and not settled at a time, however fast the mail server is. */
const STOCK_MAX = 60;
/** The database takes so long at least, until it answers with the next ones. */
const ANSWER_MIN_MS = 10;
/** How much the latest counts against those before. */
const WEIGHT = 0.2;

/**
 * How many lines to hold claimed: one for each connection, and what goes out until the database has
 * answered. Each one more would be mailed though its campaign was paused or its person opted out, and
 * be unknown where a worker is killed before any mail server heard of it.
 */
export interface InFlightWindow {
  size(): number;
  /** One was settled, which was claimed so long, with so many at the time. */
  mailed(tookMs: number, amongst: number): void;
  /** The database answered after so long. */
  answered(tookMs: number): void;
}

export function inFlightWindow(connections: number): InFlightWindow {
  let perMs = 0;
  let answerMs = ANSWER_MIN_MS;
  return {
    size: () => Math.min(STOCK_MAX, connections + Math.floor(perMs * 2 * answerMs)),
    mailed(tookMs, amongst) {
      const rate = amongst / Math.max(tookMs, 0.1);
      perMs = perMs === 0 ? rate : perMs + WEIGHT * (rate - perMs);
    },
    answered(tookMs) {
      answerMs = Math.max(ANSWER_MIN_MS, answerMs + WEIGHT * (tookMs - answerMs));
    },
  };
}
