import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_MS = 10_000;
const START_MS = 20_000;
const ASK_EVERY_MS = 2;

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
}

/** Starts a server on a free port and waits for `/healthz`; `resources` stop it. */
export async function startServerProcess(wanted: ServerProcessInput): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = wanted.command(port);
  if (wanted.resources.disposed) {
    throw new Error('the benchmark is ending');
  }
  const log = openSync(wanted.logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...wanted.env },
    stdio: ['ignore', 'ignore', log],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(hard);
  };
  wanted.resources.defer(stop);
  while (!(await isAnswering(url))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_MS) {
      throw new Error(`${program} did not start:\n${await readFile(wanted.logFile, 'utf8')}`);
    }
    await sleep(ASK_EVERY_MS);
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop };
}

const isAnswering = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
