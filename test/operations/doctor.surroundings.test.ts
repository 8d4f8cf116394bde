import { createServer as createSecureServer } from 'node:https';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newLocalCertificate } from '#platform/process/listen.ts';
import type { Examined } from '../../src/operations/doctor/check.ts';
import { certificateExpiry } from '../../src/operations/doctor/installation/certificate.ts';
import { disk, judgeFreeSpace } from '../../src/operations/doctor/installation/disk.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { run, withDatabase } from './backup.support.ts';

const GB = 1e9;

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

interface Checked {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly fix?: string;
}

const checkOf = async (name: string, more = {}): Promise<Checked | undefined> => {
  const { json } = await run(['doctor'], installation.databaseUrl, {
    ...installation.variables,
    ...more,
  });
  return (json.checks as readonly Checked[]).find((one) => one.name === name);
};
const until = async (change: string, undo: string) => {
  const sql = (text: string) =>
    withDatabase(installation.databaseUrl, (client) => client.query(text));
  await sql(change);
  onTestFinished(async () => void (await sql(undo)));
};

test('doctor names a misspelt variable', async () => {
  const variables = { ...installation.variables, FRONTDESK_RATE_REED: '1/1m' };
  const { code, json } = await run(['doctor'], installation.databaseUrl, variables);
  expect(code).toBe(0);
  expect(json.checks.find(({ name }: Checked) => name === 'variables')).toMatchObject({
    status: 'warn',
    message:
      'FRONTDESK_RATE_REED is not a variable of Frontdesk; did you mean FRONTDESK_RATE_READ?',
  });
});

describe('doctor, about the certificate of the server', () => {
  test('reports until when it is valid, and what is wrong with its files', async () => {
    expect(await checkOf('certificate')).toMatchObject({ status: 'ok' });
    const folder = await mkdtemp(join(tmpdir(), 'frontdesk-tls-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const files = {
      FRONTDESK_TLS_CERT: join(folder, 'cert.pem'),
      FRONTDESK_TLS_KEY: join(folder, 'key.pem'),
    };
    expect(await checkOf('certificate', files)).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('FRONTDESK_TLS_CERT: '),
    });
    const { cert, key } = await newLocalCertificate(['localhost']);
    await writeFile(files.FRONTDESK_TLS_CERT, cert);
    await writeFile(files.FRONTDESK_TLS_KEY, key);
    expect(await checkOf('certificate', files)).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/cert\.pem is valid for 36[45] more days$/),
    });
  });

  test.each([
    [30, undefined],
    [13.5, { status: 'warn', message: 'it expires in 13 days', fix: 'renew it' }],
    [0.5, { status: 'fail', message: 'it expires in 0 days', fix: 'renew it' }],
    [-1, { status: 'fail', message: 'it has expired', fix: 'renew it' }],
  ])('with %d days left it reports %j', (daysLeft, finding) => {
    expect(certificateExpiry('it', daysLeft, 'renew it')).toEqual(finding);
  });
});

describe('doctor, about the surroundings of the installation', () => {
  test('warns about a public address that does not answer, or belongs to another server', async () => {
    expect(await checkOf('public address', { FRONTDESK_BASE_URL: installation.url })).toMatchObject(
      {
        status: 'ok',
      },
    );
    const other = createServer((_, response) => response.writeHead(404).end());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const there = { FRONTDESK_BASE_URL: `http://127.0.0.1:${port}` };
    expect(await checkOf('public address', there)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('/healthz returns 404'),
    });
    await new Promise((resolve) => other.close(resolve));
    expect(await checkOf('public address', there)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('cannot be reached'),
      fix: expect.anything(),
    });
  });

  test('says of an unknown issuer that the server was reached, and how to trust it', async () => {
    const { cert, key } = await newLocalCertificate(['localhost']);
    const server = createSecureServer({ cert, key }, (_, response) => response.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const finding = await checkOf('public address', {
      FRONTDESK_BASE_URL: `https://localhost:${port}`,
    });
    expect(finding).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('responds, but its certificate is not trusted here'),
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    await new Promise((resolve) => server.close(resolve));
  });

  test('warns about a mailbox that cannot be opened, by name', async () => {
    await until(
      `insert into channels (sub_account_id, id, channel, provider, settings, created_at, updated_at)
       select id, gen_random_uuid(), 'email', 'smtp', '{"host": "127.0.0.1", "port": 1,
         "user": "hello", "imap": {"host": "127.0.0.1", "port": 1}}', now(), now() from sub_accounts`,
      'delete from channels',
    );
    expect(await checkOf('mailboxes')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/^1 of 1 cannot be opened; Harbour at 127\.0\.0\.1: ./),
      fix: expect.stringContaining('imap'),
    });
    expect(await checkOf('mailboxes', { FRONTDESK_SECRET_KEY: '' })).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('1 mailbox not checked'),
    });
  });

  test('fails for a read-only database', async () => {
    const name = new URL(installation.databaseUrl).pathname.slice(1);
    await until(
      `alter database ${name} set default_transaction_read_only = on`,
      `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
    );
    expect(await checkOf('database')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('is read-only'),
    });
  });

  test('fails for a remote worker whose clock is wrong, by name', async () => {
    await until(
      `insert into processes (id, kind, host, pid, seen_at, clock_ahead_ms, figures)
       values (gen_random_uuid(), 'worker', 'mill', 1, now(), -3600000, '{}')`,
      `delete from processes where host = 'mill'`,
    );
    expect(await checkOf('clock')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('worker on mill'),
    });
  });
});

test.each([
  [[], 'ok'],
  [[6, 200], 'ok'],
  [[6, 4.9], 'warn'],
  [[0.9, 200, 4], 'fail'],
])('a disk of 250 GB with %j GB left is %s: the narrowest counts', (rooms, status) => {
  const finding = judgeFreeSpace(
    rooms.map((gb, n) => ({ folder: `/disk/${n}`, bytes: gb * GB, ofBytes: 250 * GB })),
  );
  expect(finding.status).toBe(status);
  expect(finding.fix !== undefined).toBe(status !== 'ok');
});

test.each([
  [0.65, 0.7, 'ok'],
  [0.13, 0.7, 'warn'],
  [0.063, 0.7, 'fail'],
  [1.9, 10, 'warn'],
  [0.9, 10, 'fail'],
])('%d GB left on a small disk of %d GB are %s', (free, size, status) => {
  const disk = { folder: '/disk', bytes: free * GB, ofBytes: size * GB };
  expect(judgeFreeSpace([disk]).status).toBe(status);
});

test('the disk of uploaded files is checked, also if it is another one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const examined = { rows: async () => [], folders: [], files: { place: folder } };
  const { message } = await disk.examine(examined as unknown as Examined);
  expect(message).toContain(`free at ${folder}`);
});

test('a full disk is named as full, with the advice that data is not lost', () => {
  const full = { folder: '/srv/desk', bytes: 0, ofBytes: 0.7 * GB };
  expect(judgeFreeSpace([{ folder: '/', bytes: 90 * GB, ofBytes: 100 * GB }, full])).toEqual({
    status: 'fail',
    message: 'the disk of /srv/desk is full: 0 MB of 700 MB free; 90.0 GB of 100.0 GB free at /',
    fix: 'free some at /srv/desk, then start what has stopped; a full disk loses no stored data',
  });
});
