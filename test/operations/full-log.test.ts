import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newKey } from '../support/frontdesk.ts';
import { newDatabase } from './backup.support.ts';
import { bindKey } from '../support/bind-key.ts';

const REQUESTS = 200;
/** By then lines are flushed, however few they are. */
const WRITTEN_MS = 1_500;

test.each(['json', 'pretty'])(
  'a server whose log (%s) cannot be written continues',
  async (style) => {
    const { PATH, HOME } = process.env;
    const variables = {
      DATABASE_URL: await newDatabase('migrated'),
      FRONTDESK_SECRET_KEY: newKey(),
      FRONTDESK_LOG: style,
    };
    await bindKey(variables);
    // Every write to it fails with ENOSPC.
    const full = await open('/dev/full', 'w');
    const server = spawn('bin/frontdesk', ['serve', '--port', '0', '--json'], {
      env: { PATH, HOME, ...variables },
      stdio: ['ignore', 'pipe', full.fd],
    });
    const exited = once(server, 'exit');
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await exited;
      await full.close();
    });
    const said = await Promise.race([once(server.stdout!.setEncoding('utf8'), 'data'), exited]);
    const { url } = JSON.parse(String(said[0]));
    for (let n = 0; n < REQUESTS; n += 1) {
      // Probes are logged at debug only; a refusal is logged.
      expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    }

    await sleep(WRITTEN_MS);

    expect((await fetch(`${url}/healthz`)).status).toBe(200);

    server.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
