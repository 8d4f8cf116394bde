import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { vi } from 'vitest';
import { newDataFolder } from '../support/data-folder.ts';
import { freePort } from '../support/free-port.ts';

const BINARIES = '/usr/lib/postgresql/15/bin';
const WAIT = { timeout: 60_000, interval: 100 };

export interface Postgres15 {
  /** The URL of an existing database; others are created on the same server. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts Debian's PostgreSQL 15 on a free loopback port. Throws if it is not installed. */
export async function startPostgres15(): Promise<Postgres15> {
  if (!existsSync(join(BINARIES, 'initdb'))) {
    throw new Error(`${BINARIES} is not there; apt-get install postgresql-15`);
  }
  const folder = await newDataFolder('frontdesk-postgres-15-');
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
  if (user) {
    await chown(folder, user.uid, user.gid);
  }
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  await promisify(execFile)(join(BINARIES, 'initdb'), init, { cwd: folder, ...user });
  const port = await freePort();
  const settings = Object.entries({ fsync: 'off', listen_addresses: '127.0.0.1', port });
  const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(BINARIES, 'postgres'), ['-D', data, '-k', folder, ...args], {
    cwd: folder,
    stdio: 'ignore',
    ...user,
  });
  const exited = once(server, 'exit');
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await vi.waitFor(() => on(url, 'select 1'), WAIT);
  return {
    url,
    async stop() {
      server.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function on(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function postgresUser() {
  const idOf = async (flag: string) =>
    Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}
