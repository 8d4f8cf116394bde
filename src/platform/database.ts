import {
  Pool,
  types,
  type CustomTypesConfig,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import type { Texts } from '#kit/record.ts';
import type { Logger } from './logger.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_IN_TRANSACTION_MS = 60_000;
export const SHARED_MAX = 4;
const SHARED_LOCK_TIMEOUT_MS = 100;

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most; those of all processes together stay below the server's own limit. */
  readonly connections: number;
  /** What `pg_stat_activity` shows. */
  readonly name: string;
  readonly log: Logger;
}

export interface Database {
  readonly pool: Pool;
  /** Of few connections, on which nobody waits long for a lock: for what several callers share. */
  readonly shared: Pool;
  /** Runs a prepared statement on any free connection. */
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** The same, with every column as PostgreSQL wrote it. */
  texts(text: string, values: readonly unknown[]): Promise<Texts[]>;
  close(): Promise<void>;
}

export function openDatabase({ url, connections, name, log }: DatabaseOptions): Database {
  const options = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  };
  const pool = new Pool({ ...options, max: connections });
  const shared = new Pool({ ...options, max: SHARED_MAX, lock_timeout: SHARED_LOCK_TIMEOUT_MS });
  // A dropped connection is an 'error' event; without a listener it would end the process.
  for (const one of [pool, shared]) {
    one.on('connect', (client) =>
      client.on('error', (error) => log.debug({ err: error }, 'database connection lost')),
    );
    one.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  }
  return {
    pool,
    shared,
    rows: (text, values) => rowsOn(pool, text, values),
    texts: (text, values) => textsOn(pool, text, values),
    async close() {
      await Promise.all([pool.end(), shared.end()]);
    },
  };
}

/** `int8` as a number: our counts and epoch milliseconds stay far below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);

/** Names of prepared statements. Texts that are put together could be without number. */
const names = new Map<string, string>();
const NAMES_MAX = 1_000;

function named(text: string): { readonly text: string; readonly name?: string } {
  let name = names.get(text);
  if (name === undefined && names.size < NAMES_MAX) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name === undefined ? { text } : { name, text };
}

/** Runs a statement that PostgreSQL parses once per connection. */
export async function rowsOn<T extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const { rows } = await run(on, { ...named(text), values: values as unknown[] });
  return rows as T[];
}

/** The same, with every column as PostgreSQL wrote it. */
export async function textsOn(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Texts[]> {
  const asWritten = { rowMode: 'array', types: AS_WRITTEN } as const;
  const { rows } = await run(on, { ...named(text), values: values as unknown[], ...asWritten });
  return rows;
}

const AS_WRITTEN: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

const run = (on: Pool | PoolClient, query: QueryConfig): Promise<QueryResult> =>
  on instanceof Pool ? onFree(on, query) : on.query(query);

/** The pool's own `query` drops the connection at any error, also where it is not to blame. */
async function onFree(pool: Pool, query: QueryConfig): Promise<QueryResult> {
  const client = await pool.connect();
  try {
    const result = await client.query(query);
    client.release();
    return result;
  } catch (error) {
    client.release(!NO_FAULT_OF_CONNECTION.test(databaseRefusal(error)?.code ?? ''));
    throw error;
  }
}

/** A broken constraint, a deadlock, a lock that was not had in time. */
const NO_FAULT_OF_CONNECTION = /^(?:23...|40P01|55P03)$/;

/** 57014: a statement that ran into its timeout, behind a lock or a disk that does not answer. */
const AWAY_CODES =
  /^(?:08...|53...|57014|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const AWAY_MESSAGES =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed|not currently accepting connections/i;

/** True where the database, not the statement, is what failed: the caller may come again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && AWAY_CODES.test(code)
    ? true
    : AWAY_MESSAGES.test(error.message) ||
        (error instanceof AggregateError && error.errors.some(isDatabaseAway)) ||
        isDatabaseAway(error.cause);
}

/** SQLSTATE and constraint of a refusal by PostgreSQL, wherever in the causes it stands. */
export function databaseRefusal(
  error: unknown,
): { readonly code: string; readonly constraint: string | undefined } | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code)
    ? { code, constraint }
    : databaseRefusal(error.cause);
}
