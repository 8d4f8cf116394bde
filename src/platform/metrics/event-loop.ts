import { monitorEventLoopDelay } from 'node:perf_hooks';

const NS = 1e9;
const RESOLUTION_MS = 20;

/** Answers how late the event loop was since it was asked last, in seconds: the 99th percentile. */
export function watchEventLoop(): () => number {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  lag.enable();
  let askedAt = performance.now();
  return () => {
    const now = performance.now();
    // After a reset the first sample measures nothing: a standstill before it is the time that is missing.
    const seen = lag.count === 0 ? 0 : (lag.mean * lag.count) / NS;
    const unseen = (now - askedAt) / 1_000 - seen;
    const late = Math.max(lag.percentile(99) / NS, unseen) - RESOLUTION_MS / 1_000;
    lag.reset();
    askedAt = now;
    return Math.max(0, late);
  };
}
