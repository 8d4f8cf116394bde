/**
 * SQL: a row of pg_locks belongs to a session of the current database. Databases are copies of one
 * template, so the same table has the same object identifier in all of them, and a lock of a
 * transaction or a row names no database.
 */
export const IN_THIS_DATABASE =
  'pid in (select pid from pg_stat_activity where datname = current_database())';
