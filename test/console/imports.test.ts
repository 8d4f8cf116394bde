import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { handleImportContacts } from '../../src/console/imports/run-import.ts';
import { keepHouse } from '../support/keep-house.ts';
import { allContacts } from '../support/import-csv.ts';
import { apply } from '../support/manifest.ts';
import { signInAs, type Browser } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { contextOf, upload, work } from './imports.support.ts';

const CSV =
  'firstName,lastName,email\nAda,Lovelace,ada@example.com\nGrace,Hopper,grace@example.com\n';

/** Uploads a file, runs its job, and returns the import. */
async function imported(service: TestService, browser: Browser, raw: string, query = '') {
  const { id } = (await upload(browser, raw, query)).body.data;
  await work(service, id);
  return (await browser.call(`GET /console/api/v1/imports/${id}`)).body.data;
}

const partsOf = async ({ database, subAccountId }: TestService) =>
  database.rows('select 1 from contact_import_parts where sub_account_id = $1', [subAccountId]);

test('an uploaded file is imported by a worker', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  const { status, body } = await upload(admin, CSV);
  expect([status, body.data]).toEqual([
    202,
    expect.objectContaining({ status: 'running', processed: 0, total: 0, dryRun: false }),
  ]);
  expect(body.data).not.toHaveProperty('created');
  await work(service, body.data.id);
  const { body: done } = await admin.call(`GET /console/api/v1/imports/${body.data.id}`);
  expect(done.data).toMatchObject({
    status: 'done',
    processed: 2,
    total: 2,
    created: 2,
    updated: 0,
    skipped: 0,
    failed: 0,
    errors: [],
    error: null,
  });
  expect((await allContacts(service)).map(({ email }) => email)).toEqual([
    'ada@example.com',
    'grace@example.com',
  ]);
  expect(await partsOf(service)).toEqual([]);
  expect(await service.eventNames()).toEqual(['contact.created', 'contact.created']);
  const { body: audit } = await admin.call(`GET /console/api/v1/audit?actor=${admin.email}`);
  expect(audit.data.map((row: any) => row.operation)).toEqual(['imports.create', 'imports.create']);
});

test('errors name their lines, and the other rows are imported', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  const found = await imported(service, admin, `${CSV}Alan,Turing,nonsense\n`);
  expect(found).toMatchObject({ status: 'done', total: 3, created: 2, failed: 1 });
  expect(found.errors).toEqual([{ line: 4, message: expect.stringContaining('email') }]);
});

test('a dry run writes nothing', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  const found = await imported(service, admin, CSV, '?dryRun=true');
  expect(found).toMatchObject({ status: 'done', dryRun: true, created: 2 });
  expect(await allContacts(service)).toEqual([]);
  expect(await service.eventNames()).toEqual([]);
  const { body: audit } = await admin.call(`GET /console/api/v1/audit?actor=${admin.email}`);
  expect(audit.data).toEqual([]);
});

test('the contacts join a static list; an unknown list is refused', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  expect((await upload(admin, CSV, '?list=nothing')).status).toBe(404);
  await apply(service, { lists: [{ key: 'clients', name: 'Clients' }] });
  await imported(service, admin, CSV, '?list=clients');
  const members = await service.database.rows(
    'select 1 from list_members where sub_account_id = $1',
    [service.subAccountId],
  );
  expect(members).toHaveLength(2);
});

test('columns are mapped by name, and left out', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  const csv = 'Vorname,Notiz,Nachname\nAda,secret,Lovelace\n';
  const found = await imported(service, admin, csv, '?columns=firstName,,lastName');
  expect(found).toMatchObject({ status: 'done', created: 1 });
  const [contact] = await allContacts(service);
  expect(contact).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
});

test.for<[string, string, string, RegExp]>([
  ['an unknown column', 'firstName,lastName,colour\n', '', /line 1: colour is not a column/],
  ['too few names of columns', CSV, '?columns=firstName,lastName', /has 3 columns/],
  ['an open quote', 'firstName,lastName\n"Ada,Lovelace\n', '', /the file line 2: a quote opens/],
  ['no rows at all', '\n', '', /the file is empty/],
])('a file with %s fails as a whole', async ([, csv, query, error], { service }) => {
  const admin = await signInAs(service, 'admin');
  const found = await imported(service, admin, csv, query);
  expect(found).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
  expect(found.error).not.toContain('/tmp');
  expect(await partsOf(service)).toEqual([]);
});

test.for<[string, string | Uint8Array, string, number]>([
  ['JSON', '{}', 'application/json', 415],
  ['an empty file', '', 'text/csv', 400],
  ['more than 50 MiB', new Uint8Array(50 * 1024 * 1024 + 1), 'text/csv', 413],
])('%s is refused and leaves nothing', async ([, raw, type, status], { service }) => {
  const admin = await signInAs(service, 'admin');
  expect((await upload(admin, raw, '', type)).status).toBe(status);
  const rows = await service.database.rows(
    'select 1 from contact_imports where sub_account_id = $1',
    [service.subAccountId],
  );
  expect([rows, await partsOf(service)]).toEqual([[], []]);
});

test('an agent, and an admin of another sub-account, have no access', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  const { id } = (await upload(admin, CSV)).body.data;
  const agent = await signInAs(service, 'agent');
  expect((await upload(agent, CSV)).status).toBe(403);
  const owner = await signInAs(service, 'owner');
  const headers = { 'x-sub-account-id': service.otherSubAccountId };
  const { status } = await owner.call(`GET /console/api/v1/imports/${id}`, { headers });
  expect(status).toBe(404);
});

describe('an import whose worker stops', () => {
  const begin = async (service: TestService) => {
    const admin = await signInAs(service, 'admin');
    const { id } = (await upload(admin, CSV)).body.data;
    const statusOf = async () => (await admin.call(`GET /console/api/v1/imports/${id}`)).body.data;
    return { id, statusOf };
  };

  test('goes on where it was interrupted', async ({ service }) => {
    const { id, statusOf } = await begin(service);
    const stopping = new AbortController();
    stopping.abort(new Error('the worker stops'));
    await expect(work(service, id, { signal: stopping.signal })).rejects.toThrow('stops');
    expect((await statusOf()).status).toBe('running');
    await work(service, id, { attempt: 2 });
    expect(await statusOf()).toMatchObject({ status: 'done', created: 2 });
    await work(service, id, { attempt: 3 });
    expect(await statusOf()).toMatchObject({ status: 'done', created: 2 });
  });

  test('fails after five interruptions', async ({ service }) => {
    const { id, statusOf } = await begin(service);
    await work(service, id, { attempt: 6 });
    expect(await statusOf()).toMatchObject({
      status: 'failed',
      error: 'the import was interrupted 5 times',
    });
    expect(await partsOf(service)).toEqual([]);
  });

  test('fails once its job is given up', async ({ service }) => {
    const { id, statusOf } = await begin(service);
    const { subAccountId } = service;
    await handleImportContacts.giveUp?.({ subAccountId, importId: id }, contextOf(service));
    expect(await statusOf()).toMatchObject({
      status: 'failed',
      error: 'the import was interrupted 3 times',
    });
    expect(await partsOf(service)).toEqual([]);
  });

  test('does not stay running once its job is gone', async ({ service }) => {
    const { id, statusOf } = await begin(service);
    await service.database.rows(
      `update contact_imports set updated_at = now() - interval '25 hours' where id = $1`,
      [id],
    );
    await keepHouse(service);
    expect((await statusOf()).status).toBe('failed');
    expect(await partsOf(service)).toEqual([]);
  });
});

test.for<[string, (service: TestService) => Promise<unknown>, RegExp]>([
  [
    'its sub-account is closed',
    ({ subAccountId, transact }) => transact(subAccountId, OPERATOR, deleteSubAccount),
    /^the sub-account was closed$/,
  ],
  [
    'the user who started it lost the access',
    ({ database }) => database.rows(`update memberships set role = 'agent'`),
    /^\S+@\S+ lost the access that this needs$/,
  ],
])('an import writes nothing more once %s', async ([, end, error], { service }) => {
  const { subAccountId, transact, database } = service;
  const admin = await signInAs(service, 'admin');
  const rows = Array.from({ length: 6_000 }, (_, n) => `Ada,L,ada${n}@example.com\n`);
  const { id } = (await upload(admin, `firstName,lastName,email\n${rows.join('')}`)).body.data;
  let batches = 0;
  const ending: JobContext['transact'] = async (...args) => {
    batches += 1;
    if (batches === 2) {
      await end(service);
    }
    return transact(...args);
  };
  await work(service, id, { transact: ending });
  const counts = await database.rows<{ n: number }>(
    'select count(*)::int as n from contacts where sub_account_id = $1',
    [subAccountId],
  );
  // Batches that had begun may end.
  expect(counts[0]?.n).toBeLessThan(3_000);
  const states = await database.rows('select status, error from contact_imports where id = $1', [
    id,
  ]);
  expect(states).toEqual([{ status: 'failed', error: expect.stringMatching(error) }]);
  expect(await partsOf(service)).toEqual([]);
});

test('the file of a closed sub-account is not read', async ({ service }) => {
  const { subAccountId, transact, database } = service;
  const admin = await signInAs(service, 'admin');
  const { id } = (await upload(admin, '\n')).body.data;
  await transact(subAccountId, OPERATOR, deleteSubAccount);
  await work(service, id);
  const states = await database.rows('select status, error from contact_imports where id = $1', [
    id,
  ]);
  expect(states).toEqual([{ status: 'failed', error: 'the sub-account was closed' }]);
});

test('the file of an import has no name in the temporary folder', async ({ service }) => {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-test-'));
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  const admin = await signInAs(service, 'admin');
  const { id } = (await upload(admin, CSV)).body.data;
  const seen: string[][] = [];
  const looking: JobContext['transact'] = async (...args) => {
    seen.push(await readdir(folder));
    return service.transact(...args);
  };
  await work(service, id, { transact: looking });
  expect(seen).toEqual([[], []]);
  expect(await allContacts(service)).toHaveLength(2);
});

test('rows are created once, and count as created, in a repeated run', async ({ service }) => {
  const admin = await signInAs(service, 'admin');
  const csv = 'firstName,lastName,email\nAda,Lovelace,\nGrace,Hopper,\nAlan,T,alan@example.com\n';
  const { id } = (await upload(admin, csv)).body.data;
  let batches = 0;
  // The worker dies after the rows were committed, before the result is stored.
  const dying = async (text: string) => {
    batches += text.startsWith('update contact_imports set status') ? 1 : 0;
    throw new Error('the connection is lost');
  };
  await expect(work(service, id, { execute: dying })).rejects.toThrow('lost');
  expect(batches).toBe(1);
  await work(service, id, { attempt: 2 });
  const { body } = await admin.call(`GET /console/api/v1/imports/${id}`);
  expect(body.data).toMatchObject({ status: 'done', created: 3, skipped: 0 });
  expect((await allContacts(service)).map(({ firstName }) => firstName)).toEqual([
    'Ada',
    'Grace',
    'Alan',
  ]);
});
