import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { FRONTDESK } from './frontdesk.ts';
import type { Ground } from './ground.ts';

const STOP_MS = 10_000;
const START_MS = 20_000;
const DRAIN_MS = 300_000;
const LOOK_EVERY_MS = 20;

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
  const log = openSync(join(scratch, 'worker.log'), 'a');
  const child = spawn(FRONTDESK, ['worker'], {
    env: { ...process.env, ...env, ...ENV },
    stdio: ['ignore', 'pipe', log],
  });
  const ended = once(child, 'exit');
  resources.defer(async () => {
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(hard);
  });
  const isUp = await Promise.race([
    once(child.stdout as Readable, 'data').then(() => true),
    ended.then(() => false),
    sleep(START_MS, false, { ref: false }),
  ]);
  if (!isUp) {
    throw new Error(`the worker did not start; its log is ${join(scratch, 'worker.log')}`);
  }
  await until(DRAIN_MS, 'the outbox is empty', async () => {
    const { rows } = await sql.query('select 1 from outbox limit 1');
    return rows.length === 0;
  });
  await sql.query('vacuum (analyze) outbox, events');
  return child.pid ?? 0;
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
