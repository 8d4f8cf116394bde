import { DatabaseError, type Pool, type PoolClient } from 'pg';

/**
 * What goes through a pooler that gives a session to another client after each transaction: nothing
 * may be left in it, neither prepared statements nor settings.
 */
const usesTransactionPooling = new WeakSet<Pool | PoolClient>();

export const isTransactionPooled = (on: Pool | PoolClient): boolean =>
  usesTransactionPooling.has(on);

export function poolTransactions(pool: Pool): void {
  usesTransactionPooling.add(pool);
  pool.on('connect', (client) => void usesTransactionPooling.add(client));
}

export type Limits = Readonly<Record<string, number>>;

/** Begins a transaction; `limits`, in milliseconds, hold for it where the session has none. */
export const beginning = (on: PoolClient, limits: Limits): string =>
  isTransactionPooled(on) ? begunWithin(limits) : 'begin';

const begunWithin = (limits: Limits): string =>
  ['begin', ...Object.entries(limits).map(([name, ms]) => `set local ${name} = ${ms}`)].join('; ');

/** Runs statements in a transaction of their own, for the sake of its limits. */
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
    // Without a refusal of PostgreSQL's own nobody knows what became of the connection.
    const mended = error instanceof DatabaseError && (await rolledBack(client));
    client.release(!mended);
    throw error;
  }
}

const rolledBack = (client: PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
