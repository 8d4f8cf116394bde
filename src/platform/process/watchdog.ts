import type { QueryConfig } from 'pg';
import type { Database } from '../database/database.ts';
import { watchEventLoop } from '../metrics/event-loop.ts';
import { notifySystemd } from './systemd.ts';

/** How often systemd hears of it where it keeps no watch. */
const STATUS_EVERY_MS = 10_000;
/** Of the time that systemd waits for a sign: two may be lost. */
const SIGNS_PER_WAIT = 3;
const LAG_MAX_SECONDS = 1;
/** A database that is away is an answer, too: a pool that works says so within these. */
const QUERY_MS = 3_000;
const ANSWER_MS = 9_000;
/** After a database came back, work is taken up again by and by: so many waits of systemd. */
const IDLE_WAITS = 2;

interface Watched {
  readonly database: Pick<Database, 'pool'>;
  /** What `systemctl status` says while the database answers. */
  readonly status: () => string;
  /** Whether what the process is there for goes on, as far as it is in its own hands. */
  readonly isWorking: () => boolean;
}

interface Watchdog {
  stop(): Promise<void>;
}

/**
 * Gives systemd the signs of life that its WatchdogSec waits for, and says how the service stands.
 * No sign is given where restarting would help: the event loop is stuck, the pool neither answers nor
 * fails, or work is not taken any more. A database that is away is no such reason.
 */
export function startWatchdog({ database, status, isWorking }: Watched): Watchdog {
  if (!process.env['NOTIFY_SOCKET']) {
    return { stop: async () => undefined };
  }
  const asked = waitOfSystemd();
  const waitMs = asked ?? STATUS_EVERY_MS * SIGNS_PER_WAIT;
  const lag = watchEventLoop();
  let awaySince: Date | undefined;
  let idleSince: number | undefined;
  let looking: Promise<void> | undefined;
  let isStopping = false;
  const look = async () => {
    const answer = await roundTrip(database);
    const isPrompt = lag() < LAG_MAX_SECONDS;
    if (isStopping) {
      return;
    }
    awaySince = answer === 'away' ? (awaySince ?? new Date()) : undefined;
    idleSince = answer === 'here' && !isWorking() ? (idleSince ?? performance.now()) : undefined;
    const isIdle = idleSince !== undefined && performance.now() - idleSince > waitMs * IDLE_WAITS;
    const isWell = isPrompt && answer !== 'none' && !isIdle;
    notifySystemd({
      STATUS: awaySince ? `database away since ${awaySince.toISOString()}` : status(),
      ...(asked !== undefined && isWell && { WATCHDOG: '1' }),
    });
  };
  const next = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  };
  next();
  const timer = setInterval(next, waitMs / SIGNS_PER_WAIT);
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      notifySystemd({ STOPPING: '1', STATUS: 'stopping' });
    },
  };
}

/** Undefined where systemd keeps no watch, or over another process. */
function waitOfSystemd(): number | undefined {
  const { WATCHDOG_USEC = '', WATCHDOG_PID = String(process.pid) } = process.env;
  const ms = Number(WATCHDOG_USEC) / 1_000;
  return ms > 0 && WATCHDOG_PID === String(process.pid) ? ms : undefined;
}

/** The client's own time-out, which its types do not know. */
interface Patient {
  readonly query_timeout: number;
}

/** Whether the database answered; `none` where the pool did not even say that it is away. */
async function roundTrip({ pool }: Pick<Database, 'pool'>): Promise<'here' | 'away' | 'none'> {
  const { promise: silence, resolve } = Promise.withResolvers<'none'>();
  const patience = setTimeout(() => resolve('none'), ANSWER_MS);
  const question: QueryConfig & Patient = { text: 'select 1', query_timeout: QUERY_MS };
  const asked = pool.query(question).then(
    () => 'here' as const,
    () => 'away' as const,
  );
  const answer = await Promise.race([asked, silence]);
  clearTimeout(patience);
  return answer;
}
