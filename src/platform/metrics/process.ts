import { readdirSync } from 'node:fs';
import { watchEventLoop } from './event-loop.ts';
import { gauge, type Metric } from './exposition.ts';

/** What the process itself is at; answers how to look, and begins to watch the event loop. */
export function watchProcess(version: string): () => readonly Metric[] {
  const lag = watchEventLoop();
  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
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
      gauge('process_resident_memory_bytes', 'Memory in use.', rss),
      gauge('process_start_time_seconds', 'When the process started.', STARTED),
      gauge(
        'frontdesk_event_loop_lag_seconds',
        'How late the event loop was since the last look, 99th percentile.',
        lag(),
      ),
      gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed),
      ...openFiles(),
    ];
  };
}

/** Files and connections that the process holds; nothing where the system does not tell. */
function openFiles(): Metric[] {
  try {
    const count = readdirSync('/proc/self/fd').length;
    return [gauge('process_open_fds', 'Files and connections held open.', count)];
  } catch {
    return [];
  }
}

const STARTED = Math.round(performance.timeOrigin / 1_000);
