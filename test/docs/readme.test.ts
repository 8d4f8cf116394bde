import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDataFolder } from '../support/data-folder.ts';
import { freePort } from '../support/free-port.ts';

let folder: string;
let port: number;
let up: ChildProcess;

/** No variables of the test run may reach the product. */
const environment = () => ({ PATH: process.env['PATH'] ?? '', HOME: folder });

beforeAll(async () => {
  folder = await newDataFolder('frontdesk-readme-');
  port = await freePort();
  up = spawn('bin/frontdesk', ['up', '--port', String(port), '--data', join(folder, 'data')], {
    env: environment(),
    stdio: 'ignore',
  });
  await answersAt(`http://127.0.0.1:${port}/readyz`);
});

afterAll(async () => {
  const ended = once(up, 'exit');
  up.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

test('the tour of the README runs unchanged and prints what it promises', async () => {
  const readme = await readFile('README.md', 'utf8');
  const tour = /```sh tour\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const script = tour
    .replaceAll('$PWD/data', join(folder, 'data'))
    .replaceAll('localhost:8080', `127.0.0.1:${port}`)
    .replaceAll('3000', String(await freePort()));
  const { code, out } = await shell(`set -eu\n${script}`);

  expect([code, out.includes('"lifecycleStage":"customer"')]).toEqual([0, true]);
  // Printed by the receiver, which prints nothing for a wrong signature.
  expect(out).toMatch(/[\da-f-]{36} contact\.updated\n/);
  for (const operation of ['contacts.create', 'contacts.bot-update', 'sub-account create']) {
    expect(out).toContain(operation);
  }
});

async function shell(script: string): Promise<{ code: number | null; out: string }> {
  const child = spawn('sh', ['-c', script], { env: environment() });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

async function answersAt(url: string): Promise<void> {
  for (;;) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) {
      return;
    }
    await sleep(100);
  }
}
