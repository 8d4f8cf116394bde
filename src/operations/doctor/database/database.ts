import { Fault } from '#core/fault.ts';
import { counted } from '#lib/counted.ts';
import { fail, ok, warn, type Check } from '../check.ts';

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
        'point DATABASE_URL to the primary, or promote this server: select pg_promote()',
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
    const [oldest] = await rows<OpenTransaction>(OLDEST_TRANSACTION, [OPEN_TOO_LONG_MINUTES]);
    if (oldest) {
      return warn(
        `a transaction of ${oldest.name || 'an unnamed program'}, process ${oldest.pid}, has been open for ${counted(oldest.minutes, 'minute')}: PostgreSQL keeps all rows deleted since then, and becomes slower`,
        `let it end if it is a backup; otherwise end it: select pg_terminate_backend(${oldest.pid})`,
      );
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
