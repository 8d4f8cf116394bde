import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge, type Metric } from './exposition.ts';

const NS = 1e9;
const RESOLUTION_MS = 20;

/** What the process itself is at; answers how to look, and begins to watch the event loop. */
export function watchProcess(version: string): () => readonly Metric[] {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  lag.enable();
  return () => {
    const { user, system } = process.cpuUsage();
    const late = Math.max(0, lag.percentile(99) / NS - RESOLUTION_MS / 1_000);
    lag.reset();
    return [
      {
        name: 'frontdesk_build_info',
        type: 'gauge',
        help: 'The release, and the Node that runs it.',
        samples: [{ labels: { version, node: process.versions.node }, value: 1 }],
      },
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'CPU time used.',
        samples: [{ value: (user + system) / 1e6 }],
      },
      gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
      gauge('process_start_time_seconds', 'When the process started.', STARTED),
      gauge(
        'frontdesk_event_loop_lag_seconds',
        'How late the event loop was since the last look, 99th percentile.',
        Number.isFinite(late) ? late : 0,
      ),
    ];
  };
}

const STARTED = Math.round(performance.timeOrigin / 1_000);
