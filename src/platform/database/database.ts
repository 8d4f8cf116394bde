import { Pool, types, type PoolClient, type PoolConfig } from 'pg';
import type { WirePage, WireRow } from '#core/schema/wire-row.ts';
import { collectAnnouncements, passOnAnnouncements } from './cluster/relay-notices.ts';
import {
  CONNECT_TIMEOUT_MS,
  openReadGate,
  openTransactionGate,
  type ConnectionGate,
} from './connection-gate.ts';
import { databaseRefusal, retryConflicts } from './database-errors.ts';
import type { Logger } from '../config/logger.ts';
import { noteDatabaseResponse, watchConnections } from './outage-log.ts';
import { readWireRows } from './wire-rows.ts';
import { beginPooled, isTransactionPooled, poolTransactions } from './transaction-pooling.ts';

/** Timeouts of every statement and transaction, in milliseconds. */
export const LIMITS = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };
/** The lock timeout of statements that several callers share. */
export const SHARED_LIMITS = { lock_timeout: 100 };
export const SHARED_MAX = 4;

export interface DatabaseOptions {
  readonly url: string;
  /** The address of PostgreSQL itself if `url` is a pooler in transaction mode. */
  readonly sessionUrl?: string | undefined;
  /** The maximum of connections; all processes together must stay below the server's limit. */
  readonly connections: number;
  /** The `application_name` in `pg_stat_activity`. */
  readonly name: string;
  readonly log: Logger;
}

export interface Database {
  readonly pool: Pool;
  /** Where reads of sub-accounts wait for connections of the pool. */
  readonly reads: ConnectionGate;
  /** Where transactions of sub-accounts wait for connections of the pool. */
  readonly transactions: ConnectionGate;
  /** Connects to real sessions, in which PostgreSQL keeps state between statements. */
  readonly sessions: PoolConfig & { readonly connectionString: string };
  /** Runs a statement that several callers share: on few connections, with a short lock timeout. */
  together<R>(run: (on: Pool | PoolClient) => Promise<R>): Promise<R>;
  /** Runs a prepared statement on any free connection, and again after a conflict. */
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** The same, with rows as PostgreSQL sent them. */
  wireRows(text: string, values: readonly unknown[]): Promise<WireRow[]>;
  /** The same for a page, of a statement that returns one row more than its size. */
  wirePage(text: string, values: readonly unknown[], size: number): Promise<WirePage>;
  close(): Promise<void>;
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, sessionUrl = url, connections, name, log } = options;
  const isPooled = sessionUrl !== url;
  const anywhere = {
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: LIMITS.statement_timeout + CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const sessions = { ...anywhere, ...LIMITS, connectionString: sessionUrl };
  // A pooler accepts no session settings.
  const through = isPooled ? { ...anywhere, connectionString: url } : sessions;
  const pool = new Pool({ ...through, max: connections });
  const shared = new Pool({ ...through, max: SHARED_MAX, ...(!isPooled && SHARED_LIMITS) });
  for (const one of [pool, shared]) {
    listenForLosses(one, log);
    watchConnections(one);
    collectAnnouncements(one);
    if (isPooled) {
      poolTransactions(one);
    }
  }
  return {
    pool,
    reads: openReadGate(connections),
    transactions: openTransactionGate(connections, LIMITS.statement_timeout),
    sessions,
    together: (run) => (isPooled ? beginPooled(shared, SHARED_LIMITS, run) : run(shared)),
    rows: (text, values) => retryConflicts(() => rowsOn(pool, text, values)),
    wireRows: (text, values) => retryConflicts(() => wireRowsOn(pool, text, values)),
    wirePage: (text, values, size) => retryConflicts(() => wirePageOn(pool, text, values, size)),
    async close() {
      await Promise.all([pool.end(), shared.end()]);
    },
  };
}

/** A dropped connection is an 'error' event; without a listener it would end the process. */
export function listenForLosses(pool: Pool, log: Logger): void {
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'database connection lost')),
  );
  // `end` resolves before the connections have closed: a database that stops right then is no outage.
  pool.on('error', (error) =>
    pool.ending
      ? log.debug({ err: error }, 'ending database connection lost')
      : log.warn({ err: error }, 'idle database connection lost'),
  );
}

/** `int8` as a number: our counts and epoch milliseconds stay far below 2^53. */
types.setTypeParser(types.builtins.INT8, Number);

/** Names of prepared statements, limited: composed texts could be without number. */
const names = new Map<string, string>();
const NAMES_MAX = 1_000;

function namedOn(
  on: Pool | PoolClient,
  text: string,
): { readonly text: string; readonly name?: string } {
  if (isTransactionPooled(on)) {
    return { text };
  }
  let name = names.get(text);
  if (name === undefined && names.size < NAMES_MAX) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name === undefined ? { text } : { name, text };
}

/** Runs a statement, prepared once per connection unless a pooler shares the connections. */
export async function rowsOn<T extends object>(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const query = { ...namedOn(on, text), values: values as unknown[] };
  const { rows } = await run(on, (client) => client.query(query));
  return rows as T[];
}

/** The same, with rows as PostgreSQL sent them. */
export async function wireRowsOn(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<WireRow[]> {
  const query = { ...namedOn(on, text), values: values as unknown[] };
  const { rows } = await run(on, (client) => readWireRows(client, query));
  return rows;
}

/** What a page may take: its rows are in memory until the client has read the response. */
const PAGE_BYTES = 4_000_000;

/** The same for a page. */
export async function wirePageOn(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[],
  size: number,
): Promise<WirePage> {
  const query = { ...namedOn(on, text), values: values as unknown[] };
  const { rows, isCut } = await run(on, (client, onLeave) =>
    readWireRows(client, query, { bytesMax: PAGE_BYTES, onLeave }),
  );
  return { rows: rows.slice(0, size), hasMore: isCut || rows.length > size };
}

/** `onLeave` announces that the connection cannot be used again; it is missing within a transaction. */
type Query<R> = (client: PoolClient, onLeave?: () => void) => Promise<R>;

const run = <R>(on: Pool | PoolClient, query: Query<R>): Promise<R> =>
  on instanceof Pool ? onFree(on, query) : query(on);

/** The pool's own `query` drops the connection after any error, even a broken constraint. */
async function onFree<R>(pool: Pool, query: Query<R>): Promise<R> {
  const client = await pool.connect();
  let isLeft = false;
  try {
    const result = await query(client, () => {
      isLeft = true;
    });
    if (!isLeft) {
      await passOnAnnouncements(client);
    }
    client.release(isLeft);
    noteDatabaseResponse();
    return result;
  } catch (error) {
    client.release(!HARMLESS_CODES.test(databaseRefusal(error)?.code ?? ''));
    throw error;
  }
}

/** A broken constraint, a conflict, a lock timeout: the connection is fine. */
const HARMLESS_CODES = /^(?:23...|40001|40P01|55P03)$/;
