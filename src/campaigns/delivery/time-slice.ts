import { isSliceAwaited } from './slice-gate.ts';

/** The length of a time slice; then waiting sub-accounts get its place. */
const SLICE_MS = 3_000;

/** The shortest time without a settled mail after which a slice is stalled. */
const STALLED_MS = 250;

/** Time is counted in ticks: a busy process does not make a slice look stalled. */
const TICK_MS = 50;

/** Sub-accounts whose mail servers are remembered. */
const KNOWN_MAX = 1_000;

/** How long the last mail of a sub-account took, if its server replies within a slice. */
const replyMs = new Map<string, number>();

export interface TimeSlice {
  /** Aborted at the end of the slice: then no more recipients are claimed. */
  readonly over: AbortSignal;
  /** Sends a mail. It may settle after the end of the slice. */
  readonly mail: <T>(send: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
}

/**
 * Starts a time slice. While other sub-accounts wait, it also ends early if it is stalled: its mail server
 * settles no mail, for 250 ms or twice the time that its last mail took. Servers that hang would
 * otherwise delay the campaigns of others by a whole slice each.
 */
export function openTimeSlice(subAccountId: string, isAwaited = isSliceAwaited): TimeSlice {
  const ending = new AbortController();
  const stalledMs = Math.max(STALLED_MS, 2 * (replyMs.get(subAccountId) ?? 0));
  let inFlight = 0;
  let quietMs = 0;
  const ticking = setInterval(() => {
    quietMs = inFlight > 0 ? quietMs + TICK_MS : 0;
    if (quietMs >= stalledMs && isAwaited()) {
      end();
    }
  }, TICK_MS);
  const timer = setTimeout(() => end(), SLICE_MS);
  const end = () => {
    clearTimeout(timer);
    clearInterval(ticking);
    ending.abort();
  };
  return {
    over: ending.signal,
    end,
    async mail(send) {
      const startedAt = performance.now();
      inFlight += 1;
      try {
        return await send();
      } finally {
        inFlight -= 1;
        quietMs = 0;
        remember(subAccountId, performance.now() - startedAt);
      }
    },
  };
}

/** A server that takes longer than a slice counts as unknown: its next slice ends early again. */
function remember(subAccountId: string, tookMs: number): void {
  replyMs.delete(subAccountId);
  if (tookMs < SLICE_MS) {
    replyMs.set(subAccountId, tookMs);
  }
  const [oldest] = replyMs.keys();
  if (oldest !== undefined && replyMs.size > KNOWN_MAX) {
    replyMs.delete(oldest);
  }
}
