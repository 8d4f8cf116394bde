import { sleep } from '#lib/abort.ts';
import type { Pool, PoolClient } from 'pg';
import { rowsOn, type Database } from '../database.ts';

/** How long a reading waits for the replica to catch up, and how often it looks. */
export const PATIENCE_MS = 100;
const LOOK_EVERY_MS = 2;

/** Behind, not answering, or no replica of the primary at all. */
export type Trouble = 'late' | 'away' | 'wrong';

type Primary = Pick<Database, 'rows'>;

/** How far the replica behind a connection had come when it was last asked: it never goes back. */
const replayed = new WeakMap<PoolClient, bigint>();

/** Where the primary has come to; all that was committed before this was asked lies behind it. */
export async function positionOf(ask: Database['rows']): Promise<bigint> {
  const [row] = await ask<{ position: string }>(
    'select pg_current_wal_insert_lsn()::text as position',
  );
  return numberOf(row?.position ?? '');
}

/**
 * A connection to a replica that has come as far; which trouble it has otherwise. What it has replayed
 * is asked on the very connection that then reads, since an address may stand for several replicas.
 */
export async function caughtUp(
  pool: Pool,
  primary: Primary,
  position: bigint,
): Promise<PoolClient | Trouble> {
  const client = await pool.connect();
  const until = performance.now() + PATIENCE_MS;
  try {
    if (!replayed.has(client) && !(await isOf(client, primary))) {
      client.release(true);
      return 'wrong';
    }
    while ((replayed.get(client) ?? -1n) < position) {
      const [row] = await rowsOn<{ position: string | null }>(client, REPLAYED);
      if (typeof row?.position !== 'string') {
        client.release(true);
        return 'wrong';
      }
      const reached = numberOf(row.position);
      replayed.set(client, reached);
      if (reached < position && performance.now() > until) {
        client.release();
        return 'late';
      }
      if (reached < position) {
        await sleep(LOOK_EVERY_MS);
      }
    }
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Nothing of a server that replays nobody's changes, or no longer does. */
const REPLAYED = `
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position`;

/** Whether a connection leads to a copy of the primary's own database. */
async function isOf(client: PoolClient, { rows }: Primary): Promise<boolean> {
  const [[there], [here]] = await Promise.all([rowsOn(client, IDENTITY), rows(IDENTITY)]);
  return JSON.stringify(there) === JSON.stringify(here);
}

const IDENTITY = `
  select current_database() as name, system_identifier::text as system from pg_control_system()`;

/** `16/B374D848` as the number that it is. */
function numberOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
