import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import type { LaneStates } from '../queue/lanes.ts';
import type { Logger } from '../config/logger.ts';
import { watchEventLoop } from '../metrics/process.ts';
import { escapedErrors } from './activity.ts';
import { pidNamespace } from './process-lock.ts';
import { jobFigures, type JobFigures } from '../metrics/counters.ts';

const EVERY_MS = 10_000;

export type ProcessKind = 'serve' | 'worker' | 'up';

/** What a process reports about itself. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly eventLoopLagSeconds: number;
  readonly cpuSeconds: number;
  /** Missing from older releases. */
  readonly uptimeSeconds?: number;
  readonly connectionsOpen: number;
  readonly connectionsWaiting: number;
  readonly jobs: Readonly<Record<string, JobFigures>>;
  /** Empty in a process that runs no jobs, or is paused. Missing from older releases. */
  readonly lanes?: LaneStates;
  /** Where its pid is valid: processes of the same host may be in other containers. */
  readonly pidNamespace?: string | undefined;
  /** By kind of activity; missing from older releases. */
  readonly escapedErrors?: ReturnType<typeof escapedErrors>;
}

interface HeartbeatOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly kind: ProcessKind;
  readonly lanes: () => LaneStates;
}

/** Periodically records the state of this process, for metrics and `doctor`. */
export function startHeartbeats({ database, log, clock, kind, lanes }: HeartbeatOptions): {
  stop(): Promise<void>;
} {
  const id = crypto.randomUUID();
  const lag = watchEventLoop();
  let recording = Promise.resolve();
  const record = async () => {
    try {
      const own = { ...figuresOf(database, lag()), pidNamespace: await pidNamespace() };
      const figures = JSON.stringify({ ...own, lanes: lanes() });
      await database.rows(RECORD, [id, kind, hostname(), process.pid, clock(), figures]);
    } catch (error) {
      log.debug({ err: error }, 'heartbeat not written');
    }
  };
  const next = () => {
    recording = recording.then(record);
  };
  next();
  const timer = setInterval(next, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await recording;
      await database.rows(REMOVE, [id]).catch(() => undefined);
    },
  };
}

function figuresOf({ pool }: Database, eventLoopLagSeconds: number): ProcessFigures {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    residentBytes: rss,
    heapBytes: heapUsed,
    eventLoopLagSeconds,
    uptimeSeconds: Math.round(process.uptime()),
    cpuSeconds: (user + system) / 1e6,
    connectionsOpen: pool.totalCount,
    connectionsWaiting: pool.waitingCount,
    jobs: jobFigures(),
    escapedErrors: escapedErrors(),
  };
}

/**
 * SQL: a process has reported within this time. A report later than now is from a time when the clock of
 * the database was ahead.
 */
export const seenWithin = (interval: string): string =>
  `seen_at between now() - interval '${interval}' and now() + interval '${interval}'`;

/** Also removes processes that reported nothing for an hour. */
const RECORD = `with gone as (delete from processes where not (${seenWithin('1 h')}) and id <> $1)
  insert into processes (id, kind, host, pid, seen_at, clock_ahead_ms, figures)
  values ($1, $2, $3, $4, now(),
    round(extract(epoch from $5::timestamptz - clock_timestamp()) * 1000), $6::jsonb)
  on conflict (id) do update set seen_at = excluded.seen_at,
    clock_ahead_ms = excluded.clock_ahead_ms, figures = excluded.figures`;

const REMOVE = 'delete from processes where id = $1';
