import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { processStart } from '#platform/process/process-lock.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/embedded-postgres/start-embedded-postgres.ts';
import { newDataFolder } from '../support/data-folder.ts';

const MODULE = new URL('../../src/embedded-postgres/start-embedded-postgres.ts', import.meta.url)
  .href;
const FAST = { fsync: 'off' };
const POLL_MS = 5;
const PATIENCE_MS = 60_000;

export interface OwnerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly umask?: number;
}

/** Folders, servers and owners of one test file, all of which `clear` and `remove` end. */
export async function openYard() {
  const base = await newDataFolder('frontdesk-embedded-');
  const servers = new Set<EmbeddedPostgres>();
  const owners = new Map<ChildProcess, string>();
  const start = async (dataDir: string, log: (line: string) => void = () => {}) => {
    const postgres = await startEmbeddedPostgres({ dataDir, settings: FAST, log });
    servers.add(postgres);
    return postgres;
  };
  let template: string | undefined;
  // Copied, because an initialisation of its own for each test would take most of the time.
  const prepared = async (name: string) => {
    if (!template) {
      template = join(base, 'template');
      await (await start(template)).stop();
    }
    await promisify(execFile)('cp', ['-a', template, join(base, name)]);
    return join(base, name);
  };
  const spawnOwner = (dataDir: string, options: OwnerOptions = {}) => {
    const owner = spawnNode(dataDir, options);
    owners.set(owner, dataDir);
    return owner;
  };
  return {
    base,
    start,
    spawnOwner,
    prepared,
    /** Starts on data that was there before, in a folder of this name. */
    async startIn(name: string) {
      const dataDir = await prepared(name);
      return { dataDir, postgres: await start(dataDir) };
    },
    /** Another process that owns a server, and killed leaves it orphaned. */
    async ownerElsewhere(dataDir: string, options?: OwnerOptions) {
      const owner = spawnOwner(dataDir, options);
      const said: string[] = [];
      owner.stderr?.on('data', (text: Buffer) => said.push(text.toString()));
      for await (const url of createInterface({ input: owner.stdout as NodeJS.ReadableStream })) {
        return { owner, url };
      }
      throw new Error(`the owner ended: ${said.join('')}`);
    },
    async clear() {
      await Promise.all([...owners.keys()].map(kill));
      await Promise.all([...servers].map((postgres) => postgres.stop()));
      await Promise.all([...owners.values()].map(endOrphan));
      owners.clear();
      servers.clear();
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

function spawnNode(dataDir: string, { env = {}, umask = 0o022 }: OwnerOptions): ChildProcess {
  const options = JSON.stringify({ dataDir, settings: FAST });
  const program = `process.umask(${umask});
    const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULE)});
    console.log((await startEmbeddedPostgres(${options})).url);`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function kill(owner: ChildProcess): Promise<void> {
  if (owner.exitCode === null && owner.signalCode === null) {
    owner.kill('SIGKILL');
    await once(owner, 'exit');
  }
}

/** Ends a server that was not adopted: its folder is removed next. */
async function endOrphan(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir).catch(() => undefined);
  if (pid !== undefined) {
    process.kill(pid, 'SIGQUIT');
    await until(async () => (await processStart(pid)) === undefined);
  }
}

export async function rows(url: string, query: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<object>(query)).rows;
  } finally {
    await client.end();
  }
}

export const remember = (url: string) => rows(url, 'create table memory as select 42 as answer');

export const remembered = (url: string) => rows(url, 'select answer from memory');

export async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'pg/postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) {
      throw new Error('it did not come true');
    }
    await sleep(POLL_MS);
  }
}
