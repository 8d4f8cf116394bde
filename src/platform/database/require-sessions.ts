import { randomInt } from 'node:crypto';
import { Client, type PoolClient, type PoolConfig } from 'pg';
import { Fault } from '#core/fault.ts';
import type { Database } from './database.ts';

const ROUNDS = 5;

/**
 * Throws a Fault if a pooler in transaction mode stands where sessions are needed: prepared statements,
 * LISTEN and advisory locks would fail later, in ways that are hard to explain.
 */
export async function requireSessions({ pool, sessions }: Database): Promise<void> {
  const url = pool.options.connectionString;
  if (url === sessions.connectionString) {
    const client = await pool.connect().catch(explained('DATABASE_URL'));
    await requireSession(client, sessions, 'DATABASE_URL').finally(() => client.release());
    return;
  }
  const client = newClient(sessions);
  try {
    await client.connect().catch(explained('DATABASE_SESSION_URL'));
    await requireSession(client, sessions, 'DATABASE_SESSION_URL');
    if (!(await isSameDatabase(client, pool))) {
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        'DATABASE_URL and DATABASE_SESSION_URL lead to two databases; set both to the same database',
      );
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Throws a Fault if this connection leads through such a pooler; `name` is the variable of its address. */
export async function requireSession(
  client: PoolClient | Client,
  config: PoolConfig,
  name: string,
): Promise<void> {
  const { processID } = client as unknown as { readonly processID: number };
  // A pooler reports a process id of its own: it has not chosen a server yet.
  if ((await backendOf(client)) !== processID && (await areSessionsShared(config))) {
    throw isPooled(name);
  }
}

/** PgBouncer rejects most startup parameters. */
const explained =
  (name: string) =>
  (error: unknown): never => {
    const { code, message } = error as { readonly code?: string; readonly message?: string };
    throw code === '08P01' && message?.includes('unsupported startup parameter')
      ? isPooled(name)
      : error;
  };

const isPooled = (name: string) =>
  new Fault(
    'SERVICE_UNAVAILABLE',
    name === 'DATABASE_URL'
      ? 'DATABASE_URL leads through a pooler in transaction mode, such as PgBouncer: set DATABASE_SESSION_URL to the address of PostgreSQL itself'
      : `${name} leads through a pooler in transaction mode: set it to the address of PostgreSQL itself`,
  );

const newClient = (config: PoolConfig): Client => {
  const client = new Client(config);
  client.on('error', () => undefined);
  return client;
};

const backendOf = async (client: PoolClient | Client): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid;

/** Returns whether two clients get the same session, or one client different ones. */
async function areSessionsShared({ connectionString = '' }: PoolConfig): Promise<boolean> {
  const settings = { connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
  const [one, other] = [newClient(settings), newClient(settings)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await backendOf(one);
      await other.query('begin');
      const isMet = (await backendOf(other)) === before || (await backendOf(one)) !== before;
      await other.query('rollback');
      if (isMet) {
        return true;
      }
    }
    return false;
  } finally {
    await Promise.all([one.end(), other.end()].map((ended) => ended.catch(() => undefined)));
  }
}

/** Returns whether both lead to one database: an advisory lock taken in one is held in the other. */
async function isSameDatabase(client: Client, pool: Database['pool']): Promise<boolean> {
  const name = [randomInt(2 ** 31), randomInt(2 ** 31)];
  await client.query('select pg_advisory_lock($1, $2)', name);
  const { rows } = await pool.query('select pg_try_advisory_xact_lock($1, $2) as had', name);
  return rows[0].had === false;
}
