import { Client } from 'pg';
import { inject } from 'vitest';
import { urlOf } from './urls.ts';

/**
 * SQL: a row of pg_locks belongs to a session of the current database. Databases are copies of one
 * template, so the same table has the same object identifier in all of them, and a lock of a
 * transaction or a row names no database. Unlike pg_stat_activity, which is read once per
 * transaction, pg_locks is current each time.
 */
export const IN_THIS_DATABASE = `pid in (select pid from pg_locks
  where database = (select oid from pg_database where datname = current_database()))`;

/** Rows of a cluster are locked on its nodes: a session has one number on all of them. */
const isCluster = inject('nodeUrls').length > 0;

/** SQL: the sessions that wait for a lock of the session that asks. */
export const WAITING_FOR_ME = isCluster
  ? 'select waiting_gpid as pid from citus_lock_waits where blocking_gpid = citus_backend_gpid()'
  : 'select pid from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';

/** SQL: the sessions of the current database that wait for a lock of another session. */
export const WAITING = isCluster
  ? `select distinct waiting_gpid as pid from citus_lock_waits
     join citus_stat_activity on global_pid = waiting_gpid where datname = current_database()`
  : `select pid from pg_locks where not granted and ${IN_THIS_DATABASE}`;

/** An advisory lock for which triggers wait, on every node. */
export interface Gate {
  /** How many sessions wait. */
  waiting(): Promise<number>;
  open(): Promise<void>;
}

/** Takes an advisory lock in the database, on every node: triggers run where their rows are. */
export async function closeGate(databaseUrl: string, number: number): Promise<Gate> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const urls = [databaseUrl, ...inject('nodeUrls').map((url) => urlOf(url, name))];
  const nodes = urls.map((url) => new Client({ connectionString: url }));
  for (const node of nodes) {
    await node.connect();
    await node.query('select pg_advisory_lock($1)', [number]);
  }
  return {
    async waiting() {
      const found = await Promise.all(nodes.map((node) => node.query(AT_GATE, [number])));
      return found.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
    },
    async open() {
      await Promise.all(nodes.map((node) => node.end()));
    },
  };
}

const AT_GATE = `select from pg_locks
  where locktype = 'advisory' and objid = $1 and not granted and ${IN_THIS_DATABASE}`;
