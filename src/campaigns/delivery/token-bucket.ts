import { SECOND_MS } from '#lib/duration.ts';

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
