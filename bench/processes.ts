import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from '../src/embedded-postgres/server.ts';
import type { Ground } from './ground.ts';

export const FRONTDESK = fileURLToPath(new URL('../bin/frontdesk', import.meta.url));

/** The environment of the product. */
export type Environment = Readonly<Record<string, string>>;

/** Runs one command of the product and returns its `--json` output. */
export async function frontdesk(env: Environment, ...args: readonly string[]): Promise<any> {
  const { stdout } = await promisify(execFile)(FRONTDESK, [...args, '--json', '--yes'], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}

const STOP_MS = 10_000;
const START_MS = 20_000;
const ASK_EVERY_MS = 2;
const DRAIN_MS = 300_000;
const LOOK_EVERY_MS = 20;

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** From the spawn to the first response. */
  readonly startMs: number;
  stop(): Promise<void>;
}

interface ServerProcessInput {
  /** Returns the command line for a port. */
  readonly command: (port: number) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly resources: AsyncDisposableStack;
  /** A path that answers 200 once the server is ready; by default `/healthz`. */
  readonly health?: string;
}

/** Starts a server on a free port and waits until it is ready; `resources` stop it. */
export async function startServerProcess(input: ServerProcessInput): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = input.command(port);
  if (input.resources.disposed) {
    throw new Error('the benchmark is ending');
  }
  const log = openSync(input.logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, PORT: String(port), ...input.env },
    stdio: ['ignore', 'ignore', log],
  });
  const stop = stopperOf(child);
  input.resources.defer(stop);
  while (!(await isAnswering(url + (input.health ?? '/healthz')))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_MS) {
      throw new Error(`${program} did not start:\n${await readFile(input.logFile, 'utf8')}`);
    }
    await sleep(ASK_EVERY_MS);
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop };
}

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );

/** Allows the worker to call the benchmark's receiver. */
const ENV = { FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8' };

type WorkerProcessInput = Pick<Ground, 'env' | 'sql' | 'scratch' | 'resources'>;

/**
 * Starts `frontdesk worker`; `resources` stop it. Returns its process id once events of earlier
 * scenarios are published, so that they are not measured.
 */
export async function startWorkerProcess({
  env,
  sql,
  scratch,
  resources,
}: WorkerProcessInput): Promise<number> {
  const logFile = join(scratch, 'worker.log');
  const child = await spawnWorker([], { env: { ...env, ...ENV }, logFile, resources });
  await until(DRAIN_MS, 'the outbox is empty', async () => {
    const { rows } = await sql.query('select 1 from outbox limit 1');
    return rows.length === 0;
  });
  await sql.query('vacuum (analyze) outbox, events');
  return child.pid ?? 0;
}

interface WorkerOptions {
  readonly env: Environment;
  readonly logFile: string;
  readonly resources: AsyncDisposableStack;
}

/** Starts `frontdesk worker` and waits for its first output; `resources` stop it. */
export async function spawnWorker(
  args: readonly string[],
  { env, logFile, resources }: WorkerOptions,
): Promise<ChildProcess> {
  const child = spawn(FRONTDESK, ['worker', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  });
  resources.defer(stopperOf(child));
  const isUp = await Promise.race([
    once(child.stdout as Readable, 'data').then(() => true),
    once(child, 'exit').then(() => false),
    sleep(START_MS, false, { ref: false }),
  ]);
  if (!isUp) {
    throw new Error(`the worker did not start; its log is ${logFile}`);
  }
  return child;
}

/** Returns a function that ends a process, by force if it does not end in time. */
function stopperOf(child: ChildProcess): () => Promise<void> {
  const ended = once(child, 'exit');
  return async () => {
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(hard);
  };
}

/** Polls a condition; throws if it is not met in time. */
export async function until(
  withinMs: number,
  what: string,
  isTrue: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > end) {
      throw new Error(`not reached within ${withinMs / 1_000} s: ${what}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
