import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chown, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { sleep } from '#lib/abort.ts';
import { newDataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';

const BINARIES = '/usr/lib/postgresql/15/bin';
const WAIT_MAX_MS = 60_000;
const POLL_MS = 100;

export interface Postgres15 {
  /** The URL of an existing database; others are created on the same server. */
  readonly url: string;
  /** Ends the server without writing anything, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Debian's PostgreSQL 15 on a free loopback port. Throws if it is not installed. */
export async function startPostgres15(
  settings: Readonly<Record<string, string>> = {},
): Promise<Postgres15> {
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
  const port = String(await freePort());
  const all = { fsync: 'off', listen_addresses: '127.0.0.1', port, ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const launch = () =>
    spawn(join(BINARIES, 'postgres'), ['-D', data, '-k', folder, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', log],
      ...user,
    });
  let server = launch();
  const end = async (signal: NodeJS.Signals) => {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  await untilUp(url, server, logFile);
  return {
    url,
    kill: () => end('SIGQUIT'),
    async start() {
      server = launch();
      await untilUp(url, server, logFile);
    },
    async stop() {
      await (server.exitCode === null ? end('SIGINT') : undefined);
      closeSync(log);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Not by Vitest's own wait, which the global setup does not have. Throws with the server's log if it ends,
 * for example because a library was built for another version.
 */
async function untilUp(url: string, server: ChildProcess, logFile: string): Promise<void> {
  const until = performance.now() + WAIT_MAX_MS;
  for (;;) {
    try {
      return await on(url, 'select 1');
    } catch (error) {
      if (performance.now() > until) {
        throw error;
      }
      if (server.exitCode !== null) {
        throw new Error(`PostgreSQL did not start:\n${await readFile(logFile, 'utf8')}`, {
          cause: error,
        });
      }
    }
    await sleep(POLL_MS);
  }
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
