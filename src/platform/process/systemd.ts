import type { QueryConfig } from 'pg';
import type { Database } from '../database/database.ts';
import { watchEventLoop } from '../metrics/process.ts';
import { execFile } from 'node:child_process';

/** How often the status is reported if systemd has no watchdog for the service. */
const STATUS_EVERY_MS = 10_000;
/** Keep-alives per watchdog interval: two may be lost. */
const KEEP_ALIVES = 3;
const LAG_MAX_SECONDS = 1;
const QUERY_TIMEOUT_MS = 3_000;
/** A working pool responds, or reports an unavailable database, within this time. */
const POOL_TIMEOUT_MS = 9_000;
/** Watchdog intervals that work may take to resume after the database is back. */
const IDLE_INTERVALS = 2;

interface Watched {
  readonly database: Pick<Database, 'pool'>;
  /** The text of `systemctl status` while the database responds. */
  readonly status: () => string;
  /** Returns whether the process does its work, apart from failures of others. */
  readonly isWorking: () => boolean;
}

interface Watchdog {
  stop(): Promise<void>;
}

/**
 * Sends systemd the keep-alives that WatchdogSec requires, and the status of the service. No keep-alive
 * is sent when a restart would help: the event loop is stuck, the pool neither responds nor fails, or
 * jobs are no longer fetched. A restart does not help against an unavailable database.
 */
export function startWatchdog({ database, status, isWorking }: Watched): Watchdog {
  if (!process.env['NOTIFY_SOCKET']) {
    return { stop: async () => undefined };
  }
  const watchdogMs = watchdogInterval();
  const intervalMs = watchdogMs ?? STATUS_EVERY_MS * KEEP_ALIVES;
  const lag = watchEventLoop();
  let awaySince: Date | undefined;
  let idleSince: number | undefined;
  let checking: Promise<void> | undefined;
  let isStopping = false;
  const check = async () => {
    const answer = await roundTrip(database);
    const isPrompt = lag() < LAG_MAX_SECONDS;
    if (isStopping) {
      return;
    }
    awaySince = answer === 'away' ? (awaySince ?? new Date()) : undefined;
    idleSince = answer === 'here' && !isWorking() ? (idleSince ?? performance.now()) : undefined;
    const isIdle =
      idleSince !== undefined && performance.now() - idleSince > intervalMs * IDLE_INTERVALS;
    const isWell = isPrompt && answer !== 'none' && !isIdle;
    notifySystemd({
      STATUS: awaySince ? `database unreachable since ${awaySince.toISOString()}` : status(),
      ...(watchdogMs !== undefined && isWell && { WATCHDOG: '1' }),
    });
  };
  const next = () => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
  };
  next();
  const timer = setInterval(next, intervalMs / KEEP_ALIVES);
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      notifySystemd({ STOPPING: '1', STATUS: 'stopping' });
    },
  };
}

/** Returns the watchdog interval in ms, or undefined if systemd does not watch this process. */
function watchdogInterval(): number | undefined {
  const { WATCHDOG_USEC = '', WATCHDOG_PID = String(process.pid) } = process.env;
  const ms = Number(WATCHDOG_USEC) / 1_000;
  return ms > 0 && WATCHDOG_PID === String(process.pid) ? ms : undefined;
}

/** A timeout of the client that its types lack. */
interface QueryTimeout {
  readonly query_timeout: number;
}

/** Returns whether the database responded; `none` if the pool did not even report a failure. */
async function roundTrip({ pool }: Pick<Database, 'pool'>): Promise<'here' | 'away' | 'none'> {
  const { promise: silence, resolve } = Promise.withResolvers<'none'>();
  const timer = setTimeout(() => resolve('none'), POOL_TIMEOUT_MS);
  const query: QueryConfig & QueryTimeout = { text: 'select 1', query_timeout: QUERY_TIMEOUT_MS };
  const responded = pool.query(query).then(
    () => 'here' as const,
    () => 'away' as const,
  );
  const answer = await Promise.race([responded, silence]);
  clearTimeout(timer);
  return answer;
}

const PROGRAM = 'systemd-notify';
/** It waits until systemd has read the notice, usually milliseconds; a hanging one is killed. */
const NOTIFY_TIMEOUT_MS = 5_000;

/** A notice of sd_notify(3). */
interface Notice {
  readonly READY?: '1';
  readonly STOPPING?: '1';
  readonly WATCHDOG?: '1';
  readonly STATUS?: string;
}

/** Assignments to send once the running program has ended. */
let waiting: Notice = {};
let sending: Promise<void> | undefined;

/**
 * Notifies systemd if the service has Type=notify. Node cannot use such a socket, so this runs
 * `systemd-notify`, one at a time; notices that arrive meanwhile are sent together. Failures are ignored:
 * systemd acts on missing notices.
 */
export function notifySystemd(notice: Notice): void {
  if (process.env['NOTIFY_SOCKET']) {
    waiting = { ...waiting, ...notice };
    sending ??= sendWaiting();
  }
}

async function sendWaiting(): Promise<void> {
  for (
    let assignments = assignmentsOf(waiting);
    assignments.length > 0;
    assignments = assignmentsOf(waiting)
  ) {
    waiting = {};
    await send(assignments);
  }
  sending = undefined;
}

/** A status is one line. */
const assignmentsOf = (notice: Notice): string[] =>
  Object.entries(notice).map(([name, value]) => `${name}=${value.replaceAll(/\s+/g, ' ')}`);

const send = (assignments: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    const options = { timeout: NOTIFY_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    execFile(PROGRAM, [`--pid=${process.pid}`, ...assignments], options, () => resolve());
  });
