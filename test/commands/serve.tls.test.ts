import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newLocalCertificate } from '#platform/process/listen.ts';
import type { CertificateFiles } from '#platform/process/certificate.ts';
import { bindKey } from '../support/bind-key.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { secureGet } from '../support/tls-client.ts';

const PATIENCE = { timeout: 60_000, interval: 200 };

let database: TestDatabase;
let folder: string;
let variables: Variables;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-serve-tls-'));
  variables = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_TLS_CERT: join(folder, 'cert.pem'),
    FRONTDESK_TLS_KEY: join(folder, 'key.pem'),
  };
  await bindKey(variables);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function store({ cert, key }: CertificateFiles): Promise<void> {
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
}

describe('serve with FRONTDESK_TLS_CERT and FRONTDESK_TLS_KEY', () => {
  test('serves HTTPS, uses renewed files without a restart, and ends with 0', async () => {
    const first = await newLocalCertificate(['localhost', '127.0.0.1']);
    const second = await newLocalCertificate(['localhost', '127.0.0.1']);
    await store(first);
    const server = await startFrontdesk(['serve', '--port', '0'], variables);
    const { url } = server.said;
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await secureGet(`${url}/readyz`, { ca: first.cert })).toMatchObject({ status: 200 });
    const document = await secureGet(`${url}/openapi.json`, { ca: first.cert });
    expect(JSON.parse(document.text).servers).toMatchObject([
      { url: `https://localhost:${new URL(url).port}` },
    ]);

    await store(second);
    const isRenewed = () =>
      secureGet(`${url}/healthz`, { ca: second.cert }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(isRenewed, PATIENCE).toBe(200);
    expect(await server.end()).toBe(0);
    expect(server.stderr()).toContain('TLS certificate replaced');
  });

  test('refuses a wrong file, key or single variable with one line and exit code 2', async () => {
    const [one, other] = await Promise.all([
      newLocalCertificate(['localhost']),
      newLocalCertificate(['localhost']),
    ]);
    await store({ cert: one.cert, key: other.key });
    const missing = join(folder, 'missing.pem');
    for (const [more, message] of [
      [{}, /^frontdesk: FRONTDESK_TLS_KEY: ".*key\.pem" is not the private key of .*\n$/],
      [
        { FRONTDESK_TLS_CERT: missing },
        /^frontdesk: FRONTDESK_TLS_CERT: ".*missing\.pem" cannot be read: no such file .*\n$/,
      ],
      [
        { FRONTDESK_TLS_KEY: '' },
        /^frontdesk: FRONTDESK_TLS_KEY is not set, but FRONTDESK_TLS_CERT is.*\n$/,
      ],
    ] as const) {
      const ran = await frontdesk(['serve', '--port', '0'], { ...variables, ...more });
      expect([ran.code, ran.stdout]).toEqual([2, '']);
      expect(ran.stderr).toMatch(message);
    }
  });
});
