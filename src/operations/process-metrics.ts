import { hostname } from 'node:os';
import type { View } from '#core/work.ts';
import { databaseRefusal } from '#platform/database/database-errors.ts';
import type { LaneState } from '#platform/queue/lanes.ts';
import { gauge, type Metric, type Sample } from '#platform/metrics/exposition.ts';
import { escapedErrors } from '#platform/process/activity.ts';
import { seenWithin, type ProcessFigures } from '#platform/process/heartbeats.ts';

/** A process without a heartbeat for this time is gone. Heartbeats come every ten seconds. */
const SILENT = '45 s';

/** Returns the metrics that living servers and workers report about themselves. */
export async function processMetrics(view: Pick<View, 'rows'>): Promise<readonly Metric[]> {
  const processes = await view.rows<Process>(PROCESSES, []).catch(noneOnStandby);
  const workers = processes.filter(({ kind }) => kind !== 'serve').length;
  const each = (name: string, help: string, valueOf: (one: Process) => number): Metric => ({
    name,
    type: 'gauge',
    help,
    samples: processes.map((one) => ({ labels: labelsOf(one), value: valueOf(one) })),
  });
  return [
    gauge('frontdesk_workers', 'Worker processes, paused ones included.', workers),
    each(
      'frontdesk_process_resident_memory_bytes',
      'Resident memory of each process, in bytes.',
      ({ figures }) => figures.residentBytes,
    ),
    each(
      'frontdesk_process_event_loop_lag_seconds',
      'Event loop lag of each process, 99th percentile, in seconds.',
      ({ figures }) => figures.eventLoopLagSeconds,
    ),
    each(
      'frontdesk_process_connections_waiting',
      'Queries that wait for a database connection, of each process.',
      ({ figures }) => figures.connectionsWaiting,
    ),
    each(
      'frontdesk_process_clock_ahead_seconds',
      'How far the clock of each process is ahead of the database, in seconds.',
      ({ clockAheadMs }) => clockAheadMs / 1_000,
    ),
    ...laneMetrics(processes),
    {
      name: 'frontdesk_jobs_total',
      type: 'counter',
      help: 'Completed and failed jobs, by name and outcome, of each process.',
      samples: perJob(processes, ({ done, failed }) => ({ done, failed })),
    },
    {
      name: 'frontdesk_job_seconds_total',
      type: 'counter',
      help: 'Total run time of jobs in seconds, by name, of each process.',
      samples: perJob(processes, ({ seconds }) => ({ '': seconds })),
    },
    {
      name: 'frontdesk_escaped_errors_total',
      type: 'counter',
      help: 'Uncaught errors, by activity (request, stream or job), of each process.',
      samples: processes.flatMap(escapedErrorsOf),
    },
  ];
}

/** Returns no processes on a standby, which cannot read unlogged tables. */
export function noneOnStandby(error: unknown): never[] {
  if (databaseRefusal(error)?.code === NOT_SUPPORTED) {
    return [];
  }
  throw error;
}

const NOT_SUPPORTED = '0A000';

interface Process {
  readonly kind: string;
  readonly host: string;
  readonly pid: number;
  readonly clockAheadMs: number;
  readonly figures: ProcessFigures;
}

const labelsOf = ({ kind, host, pid }: Process) => ({ kind, process: `${host}:${pid}` });

const laneMetrics = (processes: readonly Process[]): Metric[] => [
  {
    name: 'frontdesk_lane_taking',
    type: 'gauge',
    help: '1 while a lane fetches jobs, 0 while it is stalled or restarts, of each process.',
    samples: perLane(processes, ({ isTaking }) => (isTaking ? 1 : 0)),
  },
  {
    name: 'frontdesk_lane_jobs_running',
    type: 'gauge',
    help: 'Running jobs, by lane, of each process.',
    samples: perLane(processes, ({ running }) => running),
  },
  {
    name: 'frontdesk_lane_restarts_total',
    type: 'counter',
    help: 'How often a lane was restarted because it had stopped or stalled, of each process.',
    samples: perLane(processes, ({ restarts }) => restarts),
  },
];

const perLane = (processes: readonly Process[], valueOf: (lane: LaneState) => number): Sample[] =>
  processes.flatMap((one) =>
    Object.entries(one.figures.lanes ?? {}).map(([lane, state]) => ({
      labels: { process: labelsOf(one).process, lane },
      value: valueOf(state),
    })),
  );

/** The figures of this process are current; others report every ten seconds. */
const escapedErrorsOf = (one: Process): Sample[] => {
  const isThisProcess = one.host === hostname() && one.pid === process.pid;
  const counts = isThisProcess ? escapedErrors() : (one.figures.escapedErrors ?? NONE);
  return Object.entries(counts).map(([activity, value]) => ({
    labels: { process: labelsOf(one).process, activity },
    value,
  }));
};

const NONE = { request: 0, stream: 0, job: 0 };

/** Returns a sample per job name and outcome. */
const perJob = (
  processes: readonly Process[],
  valuesOf: (figures: ProcessFigures['jobs'][string]) => Readonly<Record<string, number>>,
): Sample[] =>
  processes.flatMap((one) =>
    Object.entries(one.figures.jobs).flatMap(([job, figures]) =>
      Object.entries(valuesOf(figures)).map(([outcome, value]) => ({
        labels: { process: labelsOf(one).process, job, ...(outcome !== '' && { outcome }) },
        value,
      })),
    ),
  );

const PROCESSES = `
  select kind, host, pid, clock_ahead_ms as "clockAheadMs", figures from processes
  where ${seenWithin(SILENT)} order by kind, host, pid`;
