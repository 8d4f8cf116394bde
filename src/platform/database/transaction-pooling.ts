import { DatabaseError, type Pool, type PoolClient } from 'pg';

/**
 * Pools and clients behind a pooler in transaction mode: they must leave nothing in a session, neither
 * prepared statements nor settings.
 */
const usesTransactionPooling = new WeakSet<Pool | PoolClient>();

export const isTransactionPooled = (on: Pool | PoolClient): boolean =>
  usesTransactionPooling.has(on);

export function poolTransactions(pool: Pool): void {
  usesTransactionPooling.add(pool);
  pool.on('connect', (client) => void usesTransactionPooling.add(client));
}

export type Limits = Readonly<Record<string, number>>;

/** Returns the statement that begins a transaction, with `limits` (ms) if the session has none. */
export const beginning = (on: PoolClient, limits: Limits): string =>
  isTransactionPooled(on) ? begunWithin(limits) : 'begin';

const begunWithin = (limits: Limits): string =>
  ['begin', ...Object.entries(limits).map(([name, ms]) => `set local ${name} = ${ms}`)].join('; ');

/** Runs statements in a transaction of their own, so that `limits` apply to them. */
export async function beginPooled<R>(
  pool: Pool,
  limits: Limits,
  run: (on: PoolClient) => Promise<R>,
): Promise<R> {
  const client = await pool.connect();
  try {
    await client.query(begunWithin(limits));
    const outcome = await run(client);
    await client.query('commit');
    client.release();
    return outcome;
  } catch (error) {
    // After any other error the state of the connection is unknown.
    const isUsable = error instanceof DatabaseError && (await rolledBack(client));
    client.release(!isUsable);
    throw error;
  }
}

const rolledBack = (client: PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
