import { readdirSync } from 'node:fs';
import { gauge, type Metric } from './exposition.ts';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Starts to watch the event loop. Returns a function that returns the metrics of this process. */
export function watchProcess(version: string): () => readonly Metric[] {
  const lag = watchEventLoop();
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return [
      {
        name: 'frontdesk_build_info',
        type: 'gauge',
        help: 'The release, and the version of Node that runs it.',
        samples: [{ labels: { version, node: process.versions.node }, value: 1 }],
      },
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'CPU time used.',
        samples: [{ value: (user + system) / 1e6 }],
      },
      gauge('process_resident_memory_bytes', 'Memory in use.', rss),
      gauge('process_start_time_seconds', 'When the process started.', STARTED),
      gauge(
        'frontdesk_event_loop_lag_seconds',
        'Delay of the event loop since the last scrape, 99th percentile.',
        lag(),
      ),
      gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed),
      ...openFiles(),
    ];
  };
}

/** Open files and connections; empty on systems that do not report them. */
function openFiles(): Metric[] {
  try {
    const count = readdirSync('/proc/self/fd').length;
    return [gauge('process_open_fds', 'Open files and connections.', count)];
  } catch {
    return [];
  }
}

const STARTED = Math.round(performance.timeOrigin / 1_000);

const NS = 1e9;
const RESOLUTION_MS = 20;

/** Returns a function that returns the 99th percentile of the event loop's delay since its last call, in seconds. */
export function watchEventLoop(): () => number {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  lag.enable();
  let askedAt = performance.now();
  return () => {
    const now = performance.now();
    // The first sample after a reset measures nothing: the missing time was a stall before it.
    const seen = lag.count === 0 ? 0 : (lag.mean * lag.count) / NS;
    const unseen = (now - askedAt) / 1_000 - seen;
    const late = Math.max(lag.percentile(99) / NS, unseen) - RESOLUTION_MS / 1_000;
    lag.reset();
    askedAt = now;
    return Math.max(0, late);
  };
}
