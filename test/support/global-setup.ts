import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#platform/embedded-postgres/start-embedded-postgres.ts';
import { applyMigrations } from '#platform/migrate.ts';
import { migrations } from '#registry/migrations.ts';
import { TEMPLATE, urlOf } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** Tests may lose their data with the machine; waiting for the disk would only make them slow. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

/** One PostgreSQL for the run, its own unless TEST_DATABASE_URL names another server. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-test-'));
  const embedded = given ? undefined : await startEmbeddedPostgres({ dataDir, settings: FAST });
  const url = given ?? embedded?.url ?? '';
  const end = async () => {
    await embedded?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await createTemplate(url);
  } catch (error) {
    await end();
    throw error;
  }
  provide('postgresUrl', url);
  return end;
}

async function createTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(url, 'postgres') });
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  await client.end();
  await applyMigrations(urlOf(url, TEMPLATE), migrations);
}
