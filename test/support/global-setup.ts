import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { BUNDLE_FOLDER, buildBundle, isBundleCurrent } from '../../bin/build.ts';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start-embedded-postgres.ts';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { migrations } from '#registry/migrations.ts';
import { newDataFolder } from './data-folder.ts';
import { createJoinedDatabase, startCitusCluster } from './citus-cluster.ts';
import { EMPTY, TEMPLATE } from './database.ts';
import { on } from './postgres-15.ts';
import { urlOf } from './urls.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
    /** The other servers of a cluster; none if there is one PostgreSQL. */
    readonly nodeUrls: readonly string[];
    /** The folder of stored files. */
    readonly filesDir: string;
  }
}

/** Tests may lose their data with the machine; waiting for the disk would only make them slow. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // Databases live for seconds and contain few rows.
  autovacuum: 'off',
};

/**
 * Starts one PostgreSQL for the run, unless TEST_DATABASE_URL names a server; with TEST_CITUS a cluster
 * of three.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Tests that spawn `bin/frontdesk` start what a release starts.
  if (!(await isBundleCurrent())) {
    await buildBundle(BUNDLE_FOLDER);
  }
  const filesDir = await mkdtemp(join(tmpdir(), 'frontdesk-files-'));
  provide('filesDir', filesDir);
  const end = await (process.env['TEST_CITUS'] ? setUpCluster(provide) : setUpServer(provide));
  return async () => {
    await end();
    await rm(filesDir, { recursive: true, force: true });
  };
}

async function setUpCluster(provide: TestProject['provide']): Promise<() => Promise<void>> {
  const cluster = await startCitusCluster();
  try {
    await createJoinedDatabase(cluster.urls, EMPTY);
    await applyMigrations(await createJoinedDatabase(cluster.urls, TEMPLATE), migrations);
    // A server copies a database only while nothing is connected to it: Citus has a process in each.
    for (const [server, name] of cluster.urls.flatMap((url) => [
      [url, EMPTY] as const,
      [url, TEMPLATE] as const,
    ])) {
      await on(server, `alter database ${name} with is_template true allow_connections false`);
      await on(
        server,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    }
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  provide('postgresUrl', cluster.coordinator.url);
  provide(
    'nodeUrls',
    cluster.workers.map(({ url }) => url),
  );
  return cluster.stop;
}

async function setUpServer(provide: TestProject['provide']): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const dataDir = await newDataFolder('frontdesk-test-');
  const embedded = given ? undefined : await startEmbeddedPostgres({ dataDir, settings: FAST });
  const url = given ?? embedded?.url ?? '';
  const removeData = () => rmSync(dataDir, { recursive: true, force: true });
  // After an interruption nothing else is called, and the data may be in memory.
  process.once('exit', removeData);
  const end = async () => {
    await embedded?.stop();
    removeData();
  };
  try {
    if (embedded) {
      await easeAuthentication(url);
    }
    await createTemplate(url);
  } catch (error) {
    await end();
    throw error;
  }
  provide('postgresUrl', url);
  provide('nodeUrls', []);
  return end;
}

/** Keeps the password but makes it cheap to check: tests open thousands of connections. */
async function easeAuthentication(url: string): Promise<void> {
  const { username, password } = new URL(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  const [role, secret] = [username, password].map((text) => decodeURIComponent(text));
  await client.query('set scram_iterations = 1');
  await client.query(
    `alter role ${client.escapeIdentifier(role ?? '')} password ${client.escapeLiteral(secret ?? '')}`,
  );
  await client.end();
}

async function createTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(url, 'postgres') });
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  await client.end();
  await applyMigrations(urlOf(url, TEMPLATE), migrations);
}
