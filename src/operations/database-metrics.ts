import type { View } from '#core/work.ts';
import { gauge, type Metric } from '#platform/metrics/exposition.ts';

/** How much room is left in the database, and whether it takes anything. */
export async function databaseMetrics(view: Pick<View, 'rows'>): Promise<readonly Metric[]> {
  const [found] = await view.rows<Server>(SERVER, []);
  if (!found) {
    throw new Error('a select of one row answered none');
  }
  const { bytes, free, isWritable } = found;
  return [
    gauge('frontdesk_database_size_bytes', 'What the database takes on its disk.', bytes),
    gauge('frontdesk_database_connections_free', 'Connections that PostgreSQL has left.', free),
    gauge(
      'frontdesk_database_writable',
      '0 where the database only reads: a standby, or one that was set so.',
      isWritable ? 1 : 0,
    ),
  ];
}

interface Server {
  readonly bytes: number;
  readonly free: number;
  readonly isWritable: boolean;
}

const SERVER = `select pg_database_size(current_database()) as bytes,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - (select sum(numbackends)::int from pg_stat_database) as free,
  current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery() as "isWritable"`;
