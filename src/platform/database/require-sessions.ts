import { randomInt } from 'node:crypto';
import { Client, type PoolClient, type PoolConfig } from 'pg';
import { Fault } from '#core/fault.ts';
import type { Database } from './database.ts';

const ROUNDS = 5;

/**
 * Refuses a pooler that gives a session to another client after each transaction where sessions are
 * relied on: prepared statements, listening and locks would fail later, and strangely.
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
    if (!(await areOne(client, pool))) {
      throw new Fault(
        'SERVICE_UNAVAILABLE',
        'DATABASE_URL and DATABASE_SESSION_URL lead to two databases; they take two ways to one',
      );
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The same for one connection, under the name of the variable that its address stands in. */
export async function requireSession(
  client: PoolClient | Client,
  config: PoolConfig,
  name: string,
): Promise<void> {
  const { processID } = client as unknown as { readonly processID: number };
  // A pooler tells a number of its own, since it does not know yet who will answer.
  if ((await backendOf(client)) !== processID && (await areSessionsShared(config))) {
    throw isPooled(name);
  }
}

/** PgBouncer takes few settings at the start of a connection, and says so. */
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
      ? 'DATABASE_URL leads through a pooler, such as PgBouncer in transaction mode: set DATABASE_SESSION_URL to the address of PostgreSQL itself, for what needs a session'
      : `${name} leads through a pooler in transaction mode: it takes the address of PostgreSQL itself`,
  );

const newClient = (config: PoolConfig): Client => {
  const client = new Client(config);
  client.on('error', () => undefined);
  return client;
};

const backendOf = async (client: PoolClient | Client): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid;

/**
 * Whether one client meets the session that another was just served by, or two sessions in turn. The
 * first is asked about first: of a pool of one session there is none left for the other question.
 */
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

/** A lock that is taken on one way is held on the other: locks are a database's own. */
async function areOne(client: Client, pool: Database['pool']): Promise<boolean> {
  const name = [randomInt(2 ** 31), randomInt(2 ** 31)];
  await client.query('select pg_advisory_lock($1, $2)', name);
  const { rows } = await pool.query('select pg_try_advisory_xact_lock($1, $2) as had', name);
  return rows[0].had === false;
}
