import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import type { LaneStates } from '../queue/lanes.ts';
import type { Logger } from '../config/logger.ts';
import { watchEventLoop } from '../metrics/event-loop.ts';
import { escapedErrors } from '../metrics/escaped-errors.ts';
import { jobFigures, type JobFigures } from '../metrics/jobs.ts';

const SIGN_EVERY_MS = 10_000;

export type ProcessKind = 'serve' | 'worker' | 'up';

/** What a process says of itself. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly eventLoopLagSeconds: number;
  readonly cpuSeconds: number;
  readonly connectionsOpen: number;
  readonly connectionsWaiting: number;
  readonly jobs: Readonly<Record<string, JobFigures>>;
  /** None of a process that runs no jobs, or is held. Missing where an older release wrote them. */
  readonly lanes?: LaneStates;
  /** By kind of activity; absent in a process of an earlier release. */
  readonly escapedErrors?: ReturnType<typeof escapedErrors>;
}

interface Signing {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly kind: ProcessKind;
  readonly lanes: () => LaneStates;
}

/** Writes every now and then that this process lives, and how, for metrics and doctor to read. */
export function startSigns({ database, log, clock, kind, lanes }: Signing): {
  stop(): Promise<void>;
} {
  const id = crypto.randomUUID();
  const lag = watchEventLoop();
  let signing = Promise.resolve();
  const sign = async () => {
    try {
      const figures = JSON.stringify({ ...figuresOf(database, lag()), lanes: lanes() });
      await database.rows(SIGN, [id, kind, hostname(), process.pid, clock(), figures]);
    } catch (error) {
      log.debug({ err: error }, 'sign of life not written');
    }
  };
  const next = () => {
    signing = signing.then(sign);
  };
  next();
  const timer = setInterval(next, SIGN_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await signing;
      await database.rows(LEAVE, [id]).catch(() => undefined);
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
    cpuSeconds: (user + system) / 1e6,
    connectionsOpen: pool.totalCount,
    connectionsWaiting: pool.waitingCount,
    jobs: jobFigures(),
    escapedErrors: escapedErrors(),
  };
}

/** Those that died say so by being silent; after an hour they are nobody's any more. */
const SIGN = `with gone as (delete from processes where seen_at < now() - interval '1 h' and id <> $1)
  insert into processes (id, kind, host, pid, seen_at, clock_ahead_ms, figures)
  values ($1, $2, $3, $4, now(),
    round(extract(epoch from $5::timestamptz - clock_timestamp()) * 1000), $6::jsonb)
  on conflict (id) do update set seen_at = excluded.seen_at,
    clock_ahead_ms = excluded.clock_ahead_ms, figures = excluded.figures`;

const LEAVE = 'delete from processes where id = $1';
