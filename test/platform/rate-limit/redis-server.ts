import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../support/free-port.ts';

const START_TIMEOUT_MS = 60_000;

/**
 * A bare machine has no Redis, and what is said of it is then not tested there, aloud. In CI it has
 * to be there: .ci/run installs it.
 */
export const hasRedis = !spawnSync('redis-server', ['--version']).error;
if (!hasRedis) {
  const message =
    'rules of the Redis store are not tested: install the Debian package redis-server';
  if (process.env['CI']) {
    throw new Error(message);
  }
  process.stderr.write(`\n${message}\n\n`);
}

/** A real redis-server on a free loopback port, which keeps nothing. */
export interface TestRedis {
  readonly url: `redis://${string}`;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Takes connections and commands and answers none of them. */
  freeze(): void;
  thaw(): void;
}

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      server = await launch(port);
    },
    async stop() {
      if (server?.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
    },
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
  };
  await redis.start();
  return redis;
}

async function launch(port: number): Promise<ChildProcess> {
  const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', ['--port', String(port), ...options]);
  const ready = Promise.withResolvers<ChildProcess>();
  server.on('error', (cause) => {
    const message = 'redis-server cannot be started; install the Debian package redis-server';
    ready.reject(new Error(message, { cause }));
  });
  server.on('exit', (code) => ready.reject(new Error(`redis-server ended with ${code}`)));
  server.stdout.on('data', (said: Buffer) => {
    if (said.includes('Ready to accept connections')) {
      ready.resolve(server);
    }
  });
  const timer = setTimeout(
    () => ready.reject(new Error('redis-server did not get ready')),
    START_TIMEOUT_MS,
  );
  return ready.promise.finally(() => clearTimeout(timer));
}
