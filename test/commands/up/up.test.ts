import { testFiles } from '../../support/files.ts';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../../sdk/src/main.ts';
import { createDatabase } from '../../support/database.ts';
import { frontdesk, newKey, startFrontdesk } from '../../support/frontdesk.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { secureGet } from '../../support/tls-client.ts';

// Each start runs its own PostgreSQL.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeEach(async () => {
  folder = await newDataFolder('frontdesk-up-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const up = () => startFrontdesk(['up', '--port', '0', '--data', folder], {});
const connects = async (url: string) => {
  const client = new Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};
const environmentFile = () => parseEnv(readFileSync(join(folder, 'frontdesk.env'), 'utf8'));

/** Signs in with a link as the console's page does, and returns the session. */
async function signInWith(url: string, link: URL): Promise<any> {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const body = JSON.stringify({ token: link.hash.slice(1) });
  const signIn = await fetch(`${url}/console/api/sign-in/link`, { method: 'POST', headers, body });
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { subAccountId: opens } = ((await signIn.json()) as { data: any }).data;
  const session = await fetch(`${url}/console/api/session`, { headers: { cookie } });
  return { session: ((await session.json()) as { data: any }).data, opens };
}

describe('up', () => {
  test('--demo sets up the demo once and issues a fresh key each time', async () => {
    const args = ['up', '--port', '0', '--data', folder, '--demo'];
    const demos: { subAccountId: string; key: string; formId: string }[] = [];
    for (let round = 0; round < 2; round += 1) {
      const running = await startFrontdesk(args, {});
      const { url, demo } = running.said;
      const { contacts } = createClient({ baseUrl: url, apiKey: demo.key, maxTries: 1 });
      expect((await contacts.fields()).map(({ name }) => name)).toContain('insurance');
      for (const page of [`book/${demo.subAccountId}/check-up`, `f/${demo.formId}`]) {
        expect((await fetch(`${url}/${page}`)).status).toBe(200);
      }
      const link = new URL(running.said.console.link);
      expect(link.href).toMatch(/^http:.*\/console\/sign-in#[\w-]{43}$/);
      const { session, opens } = await signInWith(url, link);
      expect(opens).toBe(demo.subAccountId);
      expect(session).toMatchObject({ isOwner: true, user: { email: 'owner@localhost' } });
      expect(session.memberships).toMatchObject([{ subAccountId: demo.subAccountId }]);
      demos.push(demo);
      expect(await running.end('SIGINT')).toBe(0);
    }
    expect(demos[1]?.subAccountId).toBe(demos[0]?.subAccountId);
    expect(demos[1]?.key).not.toBe(demos[0]?.key);
  });

  test('starts everything, keeps the data, and leaves nothing running', async () => {
    const first = await up();
    expect(first.said).toEqual({
      url: expect.stringMatching(/^http:/),
      data: folder,
      environmentFile: join(folder, 'frontdesk.env'),
      console: {
        url: expect.stringMatching(/^http:.*\/console$/),
        link: expect.stringMatching(/^http:.*\/console\/sign-in#[\w-]{43}$/),
      },
    });
    expect((await fetch(`${first.said.url}/readyz`)).status).toBe(200);

    const key = readFileSync(join(folder, 'secret-key'), 'utf8').trim();
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    for (const name of ['secret-key', 'frontdesk.env']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const variables = { FRONTDESK_ENV_FILE: first.said.environmentFile };
    const made = await frontdesk(
      ['admin', 'sub-account', 'create', '--name', 'Kept', '--json'],
      variables,
    );
    expect(made.code).toBe(0);

    const { DATABASE_URL = '' } = environmentFile();
    expect(await first.end('SIGINT')).toBe(0);
    expect(first.stderr()).toContain('"running jobs"');
    expect(await connects(DATABASE_URL)).toBe(false);

    const second = await up();
    const listed = await frontdesk(['admin', 'sub-account', 'list', '--json'], variables);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Kept' }]);
    expect(readFileSync(join(folder, 'secret-key'), 'utf8').trim()).toBe(key);
    expect(await second.end('SIGHUP')).toBe(0);
  });

  test('a port in use is reported in one line, and the database is stopped', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const { code, stderr } = await frontdesk(['up', '--port', String(port), '--data', folder]);
    holder.close();
    expect(stderr).toContain(`cannot listen on 127.0.0.1, port ${port}: another program`);
    expect(stderr).toContain('choose another port with --port or FRONTDESK_PORT');
    expect(code).toBe(1);
    const next = await up();
    expect(await next.end()).toBe(0);
  });

  test('--https serves with a certificate for this machine, which it keeps', async () => {
    const args = ['up', '--port', '0', '--data', folder, '--https'];
    const database = await createDatabase('empty');
    const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
    const serials: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const running = await startFrontdesk(args, variables);
      const { url } = running.said;
      const cert = join(folder, 'https-certificate.pem');
      const key = join(folder, 'https-key.pem');
      const ca = readFileSync(cert, 'utf8');
      for (const host of ['127.0.0.1', 'localhost']) {
        const answer = await secureGet(`${url.replace('127.0.0.1', host)}/readyz`, { ca });
        expect(answer).toMatchObject({ status: 200, text: '{"data":{"status":"ok"}}' });
        serials.push(answer.serial);
      }
      const document = await secureGet(`${url}/openapi.json`, { ca });
      const port = new URL(url).port;
      expect(JSON.parse(document.text).servers).toMatchObject([
        { url: `https://localhost:${port}` },
      ]);
      expect([cert, key].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
      expect(environmentFile()).toEqual({
        FRONTDESK_FILES_DIR: testFiles().filesDir,
        FRONTDESK_PORT: port,
        FRONTDESK_TLS_CERT: cert,
        FRONTDESK_TLS_KEY: key,
      });
      expect(await running.end()).toBe(0);
    }
    expect(new Set(serials).size).toBe(1);
    await database.drop();
  });

  test('with DATABASE_URL and a key it starts no database and creates no key', async () => {
    const database = await createDatabase('empty');
    const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
    const server = await startFrontdesk(['up', '--port', '0', '--data', folder], variables);
    expect((await fetch(`${server.said.url}/readyz`)).status).toBe(200);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
    expect(existsSync(join(folder, 'secret-key'))).toBe(false);
    expect(environmentFile()).toEqual({
      FRONTDESK_FILES_DIR: testFiles().filesDir,
      FRONTDESK_PORT: new URL(server.said.url).port,
    });
    expect(await server.end()).toBe(0);
    await database.drop();
  });
});
