import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';

/**
 * Errors that pass without a change of the request. Among them: 57014, a statement timeout, behind a
 * lock or a hanging disk; 25006, a read-only server, such as a standby before its promotion; 28... and
 * 3D000, access denied; 58..., a failing disk; EMFILE and ENFILE, no file descriptor left. Not 53200.
 */
const AWAY_CODES =
  /^(?:08...|25006|28...|3D000|53(?!200)...|57014|57P0[1-5]|58...|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
const AWAY_MESSAGES =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed|not currently accepting connections/i;
/** What the coordinator of a cluster reports, as an internal error, when it loses a node. */
const NODE_AWAY_MESSAGES =
  /server closed the connection unexpectedly|could not commit transaction .*active node|connection not open|no connection to the server|could not (?:receive|send) data (?:from|to) server|connection marked as essential/i;

/** Returns whether the database failed, not the statement: a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && AWAY_CODES.test(code)
    ? true
    : AWAY_MESSAGES.test(error.message) ||
        NODE_AWAY_MESSAGES.test(error.message) ||
        (error instanceof AggregateError && error.errors.some(isDatabaseAway)) ||
        isDatabaseAway(error.cause);
}

/** A connection of the server itself. Not 08P01, by which PgBouncer says that it cannot reach PostgreSQL. */
const LOST_BY_SERVER = /^080\d\d$/;

/** Returns whether the coordinator of a cluster, which responds, cannot use one of its nodes. */
export const isNodeAway = (error: Error): boolean =>
  LOST_BY_SERVER.test(databaseRefusal(error)?.code ?? '') || NODE_AWAY_MESSAGES.test(error.message);

const OUT_OF_MEMORY = '53200';

/**
 * Returns whether PostgreSQL had no memory for a statement, such as for its locks. Perhaps the
 * statement needs too much, perhaps others do: the database works, and a retry may succeed.
 */
export const isOutOfMemory = (error: unknown): boolean =>
  databaseRefusal(error)?.code === OUT_OF_MEMORY;

/** Returns whether an error passes without a change of what is written. */
export const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || isConflict(error) || isOutOfMemory(error);

interface DatabaseRefusal {
  readonly code: string;
  readonly constraint: string | undefined;
}

/** Returns the SQLSTATE and constraint of a PostgreSQL error, found anywhere in the causes. */
export function databaseRefusal(error: unknown): DatabaseRefusal | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code)
    ? ((constraint === undefined ? refusalOfNode(error.message) : undefined) ?? {
        code,
        constraint,
      })
    : databaseRefusal(error.cause);
}

/**
 * A node of a cluster names a broken constraint in the message only, with the number of the shard; of
 * rows that are copied to it, the SQLSTATE is lost as well, also that of a deadlock.
 */
function refusalOfNode(message: string): DatabaseRefusal | undefined {
  if (message === DEADLOCK) {
    return { code: '40P01', constraint: undefined };
  }
  const [, kind = '', constraint] = BROKEN_CONSTRAINT.exec(message) ?? [];
  const code = CONSTRAINT_CODES.get(kind);
  return code === undefined ? undefined : { code, constraint };
}

const DEADLOCK = 'deadlock detected';
const BROKEN_CONSTRAINT =
  /violates (unique|exclusion|foreign key|check) constraint "(.+?)(?:_\d{6,})?"/;
const CONSTRAINT_CODES = new Map([
  ['unique', '23505'],
  ['exclusion', '23P01'],
  ['foreign key', '23503'],
  ['check', '23514'],
]);

/** SQLSTATEs of a transaction that was rolled back in favor of another one: it may run again. */
const CONFLICTS = new Set(['40001', '40P01']);

/** Returns whether the error is a serialization failure or a deadlock. */
export const isConflict = (error: unknown): boolean =>
  CONFLICTS.has(databaseRefusal(error)?.code ?? '');

/** About two seconds in total. */
export const CONFLICT_TRIES = 8;
const BACK_OFF_MS = 15;
const BACK_OFF_MAX_MS = 1_000;

/** Waits after the given failed attempt (from 1): longer each time, up to a second, with jitter. */
export async function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  const longest = Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** (attempt - 1));
  // Without jitter, two transactions in conflict would meet again.
  const ms = longest * (0.5 + Math.random() / 2);
  await sleep(ms, signal);
}

/** Repeats a transaction while it fails by conflicts. Throws the last error. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error) || attempt === CONFLICT_TRIES) {
        throw error;
      }
    }
    await backOff(attempt);
  }
}

const AGAIN_MS = 500;
/** Longer than a restart or a failover of the database takes. */
const LONGEST_MS = 10 * MINUTE_MS;

/**
 * Records a result of the outside world that is known to this process only. Retries for ten minutes
 * while the database is down. A lost reply may hide a successful write, so a repeat must change nothing.
 */
export async function retryWhileDown<T>(write: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isPassing(error) || performance.now() > until) {
        throw error;
      }
    }
    // The timer does not keep an ending process alive.
    await sleep(AGAIN_MS, undefined, { ref: false });
  }
}

export const READ_ONLY_ADVICE =
  'point DATABASE_URL to the primary, promote this server (select pg_promote()), or unset default_transaction_read_only';

/** By SQLSTATE: wrong password, access denied, unknown database, read-only, disk full, no connection left. */
const CONNECTION_ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'correct the user or password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or create it and let it connect in pg_hba.conf',
  '3D000': 'create the database, or correct DATABASE_URL',
  '25006': READ_ONLY_ADVICE,
  '53100': 'free space on the disk of the database',
  '53300': 'raise max_connections, or end other programs that use PostgreSQL',
};

/** Says what to do about a connection that failed. */
export const connectionAdvice = (error: unknown): string =>
  CONNECTION_ADVICE[databaseRefusal(error)?.code ?? ''] ??
  'start the database, or correct DATABASE_URL';
