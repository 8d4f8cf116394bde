import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '#core/scope.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk as runFrontdesk } from '../support/frontdesk.ts';

interface Ran {
  readonly code: number;
  readonly json: any;
  readonly out: string;
  readonly said: string;
}

let database: TestDatabase;
const secretKey = randomBytes(32).toString('base64');

const frontdesk = async (...args: string[]): Promise<Ran> => {
  const { code, stdout, stderr } = await runFrontdesk(args, {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: secretKey,
    NO_COLOR: '1',
  });
  const json = args.includes('--json') && stdout ? JSON.parse(stdout) : undefined;
  return { code, json, out: stdout, said: stderr };
};
const admin = (line: string, ...more: string[]) =>
  frontdesk('admin', ...line.split(' '), ...more, '--json');

let subAccountId: string;
let keyId: string;

beforeAll(async () => {
  database = await createDatabase();
  await frontdesk('migrate');
  const { json } = await admin(
    'sub-account create --timezone Europe/Berlin --name',
    'Harbour Dental',
  );
  subAccountId = json.id;
  const key = await admin(`key create --sub-account ${subAccountId} --name K --scopes tasks:read`);
  keyId = key.json.id;
});
afterAll(() => database.drop());

describe('admin sub-account', () => {
  test('create returns the row, like list and show', async () => {
    const { code, json } = await admin('sub-account create --name Sand --currency EUR --sandbox');
    expect(code).toBe(0);
    expect(json).toMatchObject({ name: 'Sand', timezone: 'UTC', currency: 'EUR', sandbox: true });
    expect((await admin(`sub-account show ${json.id}`)).json).toEqual(json);
    expect((await admin('sub-account list')).json[0]).toEqual(json);
  });

  test('update changes only the given fields', async () => {
    const { json } = await admin(`sub-account update ${subAccountId} --currency CHF`);
    expect(json).toMatchObject({ id: subAccountId, currency: 'CHF', timezone: 'Europe/Berlin' });
  });

  test('delete needs --yes without a terminal, and revokes the keys', async () => {
    const { json } = await admin('sub-account create --name Gone');
    await admin(`key create --sub-account ${json.id} --name K --scopes all`);
    expect((await admin(`sub-account delete ${json.id}`)).code).toBe(2);
    expect((await admin(`sub-account delete ${json.id} --yes`)).json).toMatchObject({
      id: json.id,
    });
    expect((await admin(`key list --sub-account ${json.id}`)).json).toMatchObject([
      { state: 'revoked' },
    ]);
  });
});

describe('admin key', () => {
  test('only create shows the value', async () => {
    const line = `key create --sub-account ${subAccountId} --name K --scopes tasks:read,tasks:write`;
    const { json } = await admin(`${line} --expires 2099-01-31T10:00:00+01:00 --rate-read 5/30s`);
    expect(json).toMatchObject({
      key: expect.stringMatching(/^sk_live_\w{46}$/),
      name: 'K',
      scopes: ['tasks:read', 'tasks:write'],
      expiresAt: '2099-01-31T09:00:00.000Z',
      subAccountId,
      kind: 'live',
    });
    const { out } = await frontdesk('admin', 'key', 'show', json.id);
    expect(out).not.toContain(json.key);
  });

  test('create says that the value is shown once', async () => {
    const { out } = await frontdesk(
      ...'admin key create --agency --sandbox --name Agency --scopes all'.split(' '),
    );
    expect(out).toMatch(/^ {2}sk_agency_test_\w{46}$/m);
    expect(out).toMatch(/shown once/);
  });

  test('create --agency belongs to no sub-account and accepts all scopes', async () => {
    const { json } = await admin('key create --agency --name A --scopes all');
    expect(json).toMatchObject({ kind: 'agency_live', subAccountId: null, scopes: SCOPES });
  });

  test('scopes replaces the list', async () => {
    const { json } = await admin(`key scopes ${keyId} --set contacts:read,tasks:read`);
    expect(json).toMatchObject({ id: keyId, scopes: ['contacts:read', 'tasks:read'] });
  });

  test('rates replaces the rates that are given, and default returns to those of the installation', async () => {
    const changed = await admin(`key rates ${keyId} --rate-read 1200/1m --rate-write 20/30s`);
    expect(changed.json).toMatchObject({ rateRead: '1200/1m', rateWrite: '20/30s' });
    const { json } = await admin(`key rates ${keyId} --rate-write default`);
    expect(json).toMatchObject({ id: keyId, rateRead: '1200/1m', rateWrite: null });
  });

  test('rotate asks only if the old value stops working at once', async () => {
    const graced = await admin(`key rotate ${keyId} --grace 24h`);
    expect(graced).toMatchObject({
      code: 0,
      json: {
        id: keyId,
        key: expect.stringMatching(/^sk_live_/),
        previousExpiresAt: expect.any(String),
      },
    });
    expect((await admin(`key rotate ${keyId}`)).code).toBe(2);
    const { out } = await frontdesk('admin', 'key', 'rotate', keyId, '--grace', '1h');
    expect(out).toMatch(/The value before it \(sk_live_\w{4}…\) is refused now/);
    const { json } = await admin(`key rotate ${keyId} --yes`);
    expect(json.previousExpiresAt).toBeNull();
    expect(json.key).not.toBe(graced.json.key);
  });

  test('revoke by the prefix of the old value ends that value only', async () => {
    const { json: made } = await admin('key create --agency --name O --scopes all');
    const { json: rotated } = await admin(`key rotate ${made.id} --grace 1h`);
    const ended = await frontdesk('admin', 'key', 'revoke', made.prefix, '--yes');
    expect(ended.out).toContain(`ended the old value (${made.prefix}…) of key O`);
    const { json: row } = await admin(`key show ${rotated.prefix}`);
    expect(row).toMatchObject({ state: 'active', previousExpiresAt: null });
    const again = await admin(`key revoke ${made.prefix} --yes`);
    expect(again.said).toContain('this old value of the API key has already ended');
    expect((await admin(`key show ${made.id}`)).json.state).toBe('active');
  });

  test('a revoked key has no old value that works', async () => {
    const { json: made } = await admin('key create --agency --name P --scopes all');
    await admin(`key rotate ${made.id} --grace 1h`);
    const { json: row } = await admin(`key revoke ${made.id} --yes`);
    expect(row).toMatchObject({ state: 'revoked', previousExpiresAt: null });
  });

  test('revoke needs --yes without a terminal and returns the row', async () => {
    const { json } = await admin('key create --agency --name R --scopes all');
    expect((await admin(`key revoke ${json.id}`)).code).toBe(2);
    expect((await admin(`key revoke ${json.id} --yes`)).json).toMatchObject({ state: 'revoked' });
  });
});

describe('wrong usage exits 2 and names the allowed values:', () => {
  test.for([
    ['key create --agency --name K --scopes tasks:sing', 'tasks:sing'],
    ['key create --agency --name K --scopes all --expires tomorrow', 'ISO 8601'],
    ['key create --agency --name K --scopes all --expires 2001-01-01T00:00:00Z', 'in the past'],
    ['key create --agency --name K --scopes all --rate-write often', '600/1m'],
    ['key create --name K --scopes all', '--sub-account'],
    ['key create --agency --scopes all', '--name'],
    ['key create --agency --sub-account x --name K --scopes all', 'exclude each other'],
    ['key create --sub-account x --sandbox --name K --scopes all', '--agency'],
    ['key rotate x --grace soon', '24h'],
    ['key rates x --rate-read often', '600/1m'],
    ['key rates x', '--rate-write'],
    ['sub-account create --name K --timezone Mars', 'IANA'],
    ['sub-account create --name K --currency EURO', 'ISO 4217'],
    ['sub-account update x', '--name'],
    ['audit list --limit 0', 'whole number'],
    ['suppression add --sub-account x --email jo', 'email address'],
  ] as const)('%s', async ([line, words]) => {
    const { code, out, said } = await admin(line);
    expect([code, out]).toEqual([2, '']);
    expect(said).toContain(words);
  });
});

describe('an unknown ID exits 1 and is named:', () => {
  test.for([
    'sub-account show nonsense',
    'sub-account update nonsense --name X',
    'sub-account delete nonsense --yes',
    'key create --sub-account nonsense --name K --scopes all',
    'key list --sub-account nonsense',
    'key show nonsense',
    'key scopes nonsense --set all',
    'key rotate nonsense --yes',
    'key revoke nonsense --yes',
    'audit list --sub-account nonsense',
    'suppression list --sub-account nonsense',
  ])('%s', async (line) => {
    const { code, out, said } = await admin(line);
    expect([code, out]).toEqual([1, '']);
    expect(said).toContain('nonsense');
  });
});

test('admin suppression ignores the case of addresses', async () => {
  const run = (verb: string, ...more: string[]) =>
    admin(`suppression ${verb} --sub-account ${subAccountId}`, ...more);
  const row = { email: 'jo@example.com', channel: 'email', reason: 'manual' };

  expect((await run('add', '--email', ' Jo@Example.com')).json).toMatchObject([row]);
  expect((await run('list')).json).toMatchObject([row]);
  expect((await run('remove', '--email', 'JO@EXAMPLE.COM')).json).toMatchObject([row]);
  expect((await run('list')).json).toEqual([]);
  expect((await run('remove', '--email', 'jo@example.com')).code).toBe(1);
});

test('admin audit list says where to find the reason of a refused request', async () => {
  const id = crypto.randomUUID();
  const { code, out } = await frontdesk('admin', 'audit', 'list', '--request', id);
  expect({ code, out }).toEqual({
    code: 0,
    out: `none: request ${id} changed nothing. If it was refused, the log of the server says why: search it for this id.\n`,
  });
});

test('admin audit list shows which user did what', async () => {
  const { json } = await admin(`audit list --sub-account ${subAccountId}`);
  expect(json.at(-1)).toMatchObject({
    operation: 'admin sub-account create',
    actorKind: 'cli',
    actor: expect.stringMatching(/./),
    requestId: expect.stringMatching(/./),
    recordId: subAccountId,
  });
  expect((await admin('audit list --limit 2')).json).toHaveLength(2);
});
