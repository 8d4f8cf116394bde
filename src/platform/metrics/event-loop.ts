import { monitorEventLoopDelay } from 'node:perf_hooks';

const NS = 1e9;
const RESOLUTION_MS = 20;

/** Answers how late the event loop was since it was asked last, in seconds: the 99th percentile. */
export function watchEventLoop(): () => number {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  lag.enable();
  return () => {
    const late = Math.max(0, lag.percentile(99) / NS - RESOLUTION_MS / 1_000);
    lag.reset();
    return Number.isFinite(late) ? late : 0;
  };
}
