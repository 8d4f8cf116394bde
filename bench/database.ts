import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/start-embedded-postgres.ts';

/** Settings of a small server; fsync stays on, since writes would look free without it. */
export const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  max_connections: '100',
};
const NAME = 'frontdesk_bench';

/**
 * Returns the URL of the benchmark's database: on its own PostgreSQL with the data in `dataDir`, or
 * on the server of BENCH_DATABASE_URL, where it is kept.
 */
export async function openDatabase(
  dataDir: string,
  resources: AsyncDisposableStack,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const settings = { ...SETTINGS, ...more };
  const server =
    process.env['BENCH_DATABASE_URL'] ?? (await ownServer(dataDir, settings, resources));
  const client = new Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
  if (rows.length === 0) {
    await client.query(`create database ${NAME} template template0 encoding 'UTF8'`);
  }
  await client.end();
  const url = new URL(server);
  url.pathname = NAME;
  return url.href;
}

async function ownServer(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  resources: AsyncDisposableStack,
): Promise<string> {
  const starting = startEmbeddedPostgres({ dataDir, settings });
  resources.defer(async () => {
    const server = await starting.catch(() => undefined);
    await server?.stop();
  });
  return (await starting).url;
}
