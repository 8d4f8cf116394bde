import { Fault } from '#core/fault.ts';
import { counted } from '#lib/counted.ts';
import { READ_ONLY_ADVICE } from '#platform/database/database-errors.ts';
import { fail, ok, warn, type Check, type Examined, type Finding } from '../check.ts';

const VERSION_LEAST = 150_000;
/** The share of the server's connections at which it warns. */
const CROWDED = 0.8;

export const database: Check = {
  name: 'database',
  async examine({ rows, requireSessions, replicaTrouble }) {
    const refusal = await requireSessions().catch(refusalOf);
    if (refusal !== undefined) {
      return fail(refusal, 'fix DATABASE_URL and DATABASE_SESSION_URL; see docs/scaling.md');
    }
    const sentAt = performance.now();
    const [found] = await rows<Server>(SERVER);
    const ms = Math.round(performance.now() - sentAt);
    const { version, number, encoding, used, allowed, isPatient, isWritable } = found as Server;
    if (!isWritable) {
      return fail(
        'the database is read-only: it is a standby, or default_transaction_read_only is on',
        READ_ONLY_ADVICE,
      );
    }
    if (number < VERSION_LEAST) {
      return fail(`PostgreSQL ${version} is older than 15`, 'upgrade PostgreSQL to 15 or later');
    }
    if (encoding !== 'UTF8') {
      return fail(
        `the database has the encoding ${encoding}`,
        'create a database with the encoding UTF8, and restore a backup into it',
      );
    }
    if (used > allowed * CROWDED) {
      return warn(
        `${used} of the ${allowed} connections of PostgreSQL are in use`,
        'raise max_connections, or run fewer processes',
      );
    }
    if (isPatient) {
      return warn(
        'statements have no timeout: the pooler ignores the settings of the connection',
        `set a timeout for the role: alter role … set statement_timeout = '30s'`,
      );
    }
    const blocking = await findBlocking(rows);
    if (blocking) {
      return blocking;
    }
    const trouble = await replicaTrouble();
    if (trouble !== undefined) {
      return warn(trouble, 'fix the replica; until then, lists are read from the primary');
    }
    return ok(
      `PostgreSQL ${version} responds in ${ms} ms; ${used} of ${allowed} connections in use`,
    );
  },
};

/** Warns about the program that others wait for, or whose transaction has been open for too long. */
async function findBlocking(rows: Examined['rows']): Promise<Finding | undefined> {
  const [blocker] = await rows<Blocker>(BLOCKER, [BLOCKED_TOO_LONG_SECONDS]);
  if (blocker) {
    return warn(
      `${counted(blocker.waiting, 'statement')} ${blocker.waiting === 1 ? 'waits' : 'wait'} for a lock of ${blocker.name || 'an unnamed program'}, process ${blocker.pid}, the longest for ${blocker.seconds} s: requests are slow, and get 503 after 30 s`,
      `let it end if it is a migration; otherwise end it: select pg_terminate_backend(${blocker.pid})`,
    );
  }
  const [oldest] = await rows<OpenTransaction>(OLDEST_TRANSACTION, [OPEN_TOO_LONG_MINUTES]);
  return (
    oldest &&
    warn(
      `a transaction of ${oldest.name || 'an unnamed program'}, process ${oldest.pid}, has been open for ${counted(oldest.minutes, 'minute')}: PostgreSQL keeps all rows deleted since then, and becomes slower`,
      `let it end if it is a backup; otherwise end it: select pg_terminate_backend(${oldest.pid})`,
    )
  );
}

/** Longer than statements of requests wait for each other. */
const BLOCKED_TOO_LONG_SECONDS = 5;

interface Blocker {
  readonly pid: number;
  readonly name: string | null;
  readonly waiting: number;
  readonly seconds: number;
}

/** The process that most statements wait for. Advisory locks are waited for on purpose. */
export const BLOCKER = `select blocker.pid, blocker.application_name as name, count(*)::int as waiting,
    extract(epoch from max(clock_timestamp() - waiting.query_start))::int as seconds
  from pg_stat_activity waiting
  cross join lateral unnest(pg_blocking_pids(waiting.pid)) as by (pid)
  join pg_stat_activity blocker on blocker.pid = by.pid
  where waiting.datname = current_database() and waiting.wait_event_type = 'Lock'
    and waiting.wait_event <> 'advisory'
    and waiting.query_start <= clock_timestamp() - make_interval(secs => $1)
  group by 1, 2 order by cardinality(pg_blocking_pids(blocker.pid)), waiting desc limit 1`;

/** Also of a slow backup: PostgreSQL removes no deleted rows until it ends. */
const OPEN_TOO_LONG_MINUTES = 60;

interface OpenTransaction {
  readonly pid: number;
  readonly name: string;
  readonly minutes: number;
}

/** The oldest transaction that has been open for so many minutes. Other roles' are not visible. */
export const OLDEST_TRANSACTION = `select pid, application_name as name,
    (extract(epoch from clock_timestamp() - xact_start) / 60)::int as minutes
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null
    and xact_start <= clock_timestamp() - make_interval(mins => $1)
  order by xact_start limit 1`;

/** Returns the message of a Fault about the settings. Rethrows any other error. */
function refusalOf(error: unknown): string {
  if (error instanceof Fault) {
    return error.message;
  }
  throw error;
}

interface Server {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly used: number;
  readonly allowed: number;
  readonly isPatient: boolean;
  readonly isWritable: boolean;
}

const SERVER = `select split_part(current_setting('server_version'), ' ', 1) as version,
  current_setting('server_version_num')::int as number,
  current_setting('server_encoding') as encoding,
  (select sum(numbackends)::int from pg_stat_database) as used,
  current_setting('max_connections')::int as allowed,
  current_setting('statement_timeout') = '0' as "isPatient",
  current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery() as "isWritable"`;

const REQUIRED = ['btree_gin', 'btree_gist', 'pg_trgm', 'unaccent'];

export const extensions: Check = {
  name: 'extensions',
  async examine({ rows }) {
    const installed = await rows<{ name: string }>(
      'select extname as name from pg_extension where extname = any ($1)',
      [REQUIRED],
    );
    const missing = REQUIRED.filter((name) => installed.every((one) => one.name !== name));
    return missing.length > 0
      ? fail(
          `missing extensions: ${missing.join(', ')}`,
          'install the additional modules of PostgreSQL (postgresql-contrib), then run frontdesk migrate',
        )
      : ok(REQUIRED.join(', '));
  },
};
