import { inject } from 'vitest';

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
