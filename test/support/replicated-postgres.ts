import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start-embedded-postgres.ts';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { migrations } from '#registry/migrations.ts';
import { newDataFolder } from './data-folder.ts';

const FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '60' };

interface Server {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a migrated PostgreSQL and a streaming replica of it. */
export interface ReplicatedPostgres {
  readonly primary: Server;
  readonly replica: Server;
  stop(): Promise<void>;
}

export async function startReplicatedPostgres(
  settings: Readonly<Record<string, string>> = FAST,
): Promise<ReplicatedPostgres> {
  const folder = await newDataFolder('frontdesk-replica-');
  const [own, copy] = [join(folder, 'primary'), join(folder, 'replica')];
  const primary = serverOn(own, settings);
  await primary.start();
  await applyMigrations(primary.url, migrations);
  await primary.stop();
  await promisify(execFile)('cp', ['-a', own, copy]);
  await writeFile(join(copy, 'pg', 'standby.signal'), '');
  await primary.start();
  const { hostname, port, username, password } = new URL(primary.url);
  const replica = serverOn(copy, {
    ...settings,
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
  });
  await replica.start();
  return {
    primary,
    replica,
    async stop() {
      await Promise.all([primary.stop(), replica.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serverOn(dataDir: string, settings: Readonly<Record<string, string>>): Server {
  let running: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined;
  return {
    get url() {
      return running?.url ?? '';
    },
    async start() {
      running = await startEmbeddedPostgres({ dataDir, settings });
    },
    stop: async () => running?.stop(),
  };
}
