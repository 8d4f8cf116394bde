import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { bindKey } from '../support/bind-key.ts';
import { createDatabase } from '../support/database.ts';
import { newKey } from '../support/frontdesk.ts';

const AWAY = 'postgres://user@127.0.0.1:1/nowhere';

/** Returns the address of a receiver of alerts, and their texts. */
async function startReceiver() {
  const alerts: string[] = [];
  const server = createServer((request, response) => {
    void text(request)
      .then((alert) => alerts.push(alert))
      .finally(() => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address() as { readonly port: number };
  return { alerts, url: `http://127.0.0.1:${address.port}/frontdesk` };
}

test('the script for cron makes a backup, and sends an alert if that fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-cron-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const database = await createDatabase();
  onTestFinished(database.drop);
  const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  const { alerts, url } = await startReceiver();

  const page = await readFile('docs/backup.md', 'utf8');
  const documented = /^```sh cron\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
  const script = documented
    .replace('/srv/frontdesk/', `${folder}/`)
    .replace('/srv/backups', join(folder, 'backups'))
    .replace('/opt/frontdesk/bin', resolve('bin'))
    .replace('https://alerts.example.com/frontdesk', url);
  const path = join(folder, 'frontdesk-backup');
  await writeFile(path, script);
  await chmod(path, 0o755);
  const runWith = async (databaseUrl: string) => {
    const file = `DATABASE_URL=${databaseUrl}\nFRONTDESK_SECRET_KEY=${variables.FRONTDESK_SECRET_KEY}\n`;
    await writeFile(join(folder, 'frontdesk.env'), file, { mode: 0o600 });
    // The environment that cron gives.
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    const child = spawn(path, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await once(child, 'close')) as [number];
    return { code, said: (await outputs).join('') };
  };

  expect(await runWith(database.url)).toEqual({ code: 0, said: '' });
  expect(alerts).toEqual([]);
  const [name, ...others] = await readdir(join(folder, 'backups'));
  expect([name, others]).toEqual([expect.stringMatching(/^frontdesk-\d{8}T\d{6}Z\.backup$/), []]);

  expect((await runWith(AWAY)).code).toBe(1);
  expect(alerts).toEqual([expect.stringMatching(/^Frontdesk: the backup failed: frontdesk: .+/)]);
  expect(await readdir(join(folder, 'backups'))).toEqual([name]);
});
