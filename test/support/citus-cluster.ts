import { existsSync } from 'node:fs';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { migrations } from '#registry/migrations.ts';
import type { TestDatabase } from './database.ts';
import { on, startPostgres15, type Postgres15 } from './postgres-15.ts';
import { urlOf } from './urls.ts';

const SETTINGS = {
  shared_preload_libraries: 'citus',
  // Shards in use are copied by logical replication.
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '300',
  // Citus has a process of its own for each database.
  max_worker_processes: '64',
  shared_buffers: '64MB',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_locks_per_transaction: '256',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.node_connection_timeout': '5000',
};

/** Few: every test copies the shards of all tables. */
const SHARDS = 4;

const isCitusInstalled = (): boolean => existsSync('/usr/lib/postgresql/15/lib/citus.so');

/** A coordinator, and the servers that have the shards. */
export interface CitusCluster {
  readonly coordinator: Postgres15;
  readonly workers: readonly Postgres15[];
  /** The servers, coordinator first. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/** Starts a coordinator and two workers on free loopback ports. */
export async function startCitusCluster(
  more: Readonly<Record<string, string>> = {},
): Promise<CitusCluster> {
  if (!isCitusInstalled()) {
    throw new Error('PostgreSQL 15 of this machine has no extension citus');
  }
  const settings = { ...SETTINGS, ...more };
  const coordinator = await startPostgres15({ ...settings, ...logSettings() });
  const workers = [await startPostgres15(settings), await startPostgres15(settings)];
  const servers = [coordinator, ...workers];
  for (const { url } of servers) {
    await allowPlugin(url);
  }
  return {
    coordinator,
    workers,
    urls: servers.map(({ url }) => url),
    stop: async () => void (await Promise.all(servers.map((server) => server.stop()))),
  };
}

/** PostgreSQL 15.20 and later load only the listed plug-ins of logical replication. */
async function allowPlugin(url: string): Promise<void> {
  const setting = 'output_plugin_libraries';
  const isKnown = await withClient(url, async (client) => {
    const { rows } = await client.query('select from pg_settings where name = $1', [setting]);
    return rows.length > 0;
  });
  if (isKnown) {
    await on(url, `alter system set ${setting} = 'citus', 'pgoutput'`);
    await on(url, 'select pg_reload_conf()');
  }
}

/** TEST_CITUS_LOG names a folder, writable for `postgres`, that gets the refused statements. */
function logSettings(): Readonly<Record<string, string>> {
  const folder = process.env['TEST_CITUS_LOG'];
  return folder
    ? {
        logging_collector: 'on',
        log_directory: folder,
        log_filename: 'coordinator.log',
        log_file_mode: '0644',
        log_line_prefix: '%p %d ',
      }
    : {};
}

/** Makes a database on all servers and joins them to a cluster. Returns the coordinator's URL. */
export async function createJoinedDatabase(
  servers: readonly string[],
  name: string,
  shards = SHARDS,
): Promise<string> {
  const [first = ''] = servers;
  await on(first, `create database ${name} template template0 encoding 'UTF8'`);
  return joinDatabase(servers, name, shards);
}

/** Gives an existing database of the first server the others as nodes. */
export async function joinDatabase(
  servers: readonly string[],
  name: string,
  shards = SHARDS,
): Promise<string> {
  const [first = '', ...others] = servers;
  for (const other of others) {
    await on(other, `create database ${name} template template0 encoding 'UTF8'`);
  }
  for (const server of servers) {
    await on(urlOf(server, name), 'create extension citus');
  }
  const coordinator = urlOf(first, name);
  await on(coordinator, `alter database ${name} set citus.shard_count = ${shards}`);
  await on(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${new URL(first).port})`);
  for (const other of others) {
    await on(coordinator, `select citus_add_node('127.0.0.1', ${new URL(other).port})`);
  }
  return coordinator;
}

/** Migrates a new database on all servers: for an installation of a test. */
export async function createClusterDatabase({ urls }: CitusCluster): Promise<TestDatabase> {
  const name = `cluster_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = await createJoinedDatabase(urls, name);
  await applyMigrations(url, migrations);
  // The cluster is stopped after the tests of the file.
  return { url, drop: async () => undefined };
}
