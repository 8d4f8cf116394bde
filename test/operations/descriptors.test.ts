import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newKey } from '../support/frontdesk.ts';
import { newDatabase } from './backup.support.ts';
import { bindKey } from '../support/bind-key.ts';

const WAIT = { timeout: 60_000 };
/** A server needs about forty, and a few for the database. */
const FEW = 56;
const CROWD = 120;
/** An exhausted server accepts no connection; a busy one is retried. */
const PROBE_TIMEOUT_MS = 5_000;
const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

test('a server without descriptors continues once some are free, without spinning', async () => {
  const { PATH, HOME } = process.env;
  const variables = {
    DATABASE_URL: await newDatabase('migrated'),
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_LOG_LEVEL: 'silent',
  };
  await bindKey(variables);
  const command = `ulimit -n ${FEW}; exec bin/frontdesk serve --port 0 --json`;
  const server = spawn('sh', ['-c', command], { env: { PATH, HOME, ...variables } });
  const exited = once(server, 'exit');
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await exited;
  });
  const [said] = await once(server.stdout.setEncoding('utf8'), 'data');
  const { url } = JSON.parse(String(said));
  const ready = () => statusOf(`${url}/readyz`);
  await expect.poll(ready, WAIT).toBe(200);

  const crowd = Array.from({ length: CROWD }, () =>
    connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined),
  );
  await expect.poll(ready, WAIT).toBe(0);
  const before = await cpuSeconds(server.pid);
  const since = performance.now();
  await expect.poll(() => performance.now() - since, WAIT).toBeGreaterThan(3_000);
  const busy = ((await cpuSeconds(server.pid)) - before) / ((performance.now() - since) / 1_000);
  expect(busy).toBeLessThan(0.8);

  crowd.forEach((socket) => socket.destroy());
  await expect.poll(ready, WAIT).toBe(200);
  expect(server.exitCode).toBeNull();
});

/** Returns the status over a new connection; 0 without a response in time. */
const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const request = get(url, { agent: false, signal }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.on('error', () => resolve(0));
  });

async function cpuSeconds(pid = 0): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.split(') ')[1]?.split(' ') ?? [];
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}
