import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk as runFrontdesk } from '../support/frontdesk.ts';

let database: TestDatabase;
let folder: string;
let sub: string;
const secretKey = randomBytes(32).toString('base64');

const frontdesk = async (...args: string[]) => {
  const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: secretKey };
  const { code, stdout, stderr } = await runFrontdesk(args, variables);
  return { code, out: stdout, said: stderr };
};

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-csv-'));
  await frontdesk('migrate');
  const { out } = await frontdesk('admin', 'sub-account', 'create', '--name', 'Harbour', '--json');
  sub = JSON.parse(out).id;
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const importFile = async (content: string, ...options: string[]) => {
  const path = join(folder, 'in.csv');
  await writeFile(path, content);
  return frontdesk('admin', 'contact', 'import', path, '--sub-account', sub, ...options);
};

const REFUSED = 'email: "bob" is not an email address; write one address and nothing else';
const CONTENT = 'firstName,lastName,email\nAda,L,ada@example.com\nBob,R,bob\n';

test('import returns the counts, and exits 0 if only rows failed', async () => {
  const expected = {
    created: 1,
    updated: 0,
    skipped: 0,
    failed: 1,
    errors: [{ line: 3, message: REFUSED }],
  };
  const rehearsed = await importFile(CONTENT, '--dry-run', '--json');
  expect([rehearsed.code, JSON.parse(rehearsed.out)]).toEqual([0, expected]);
  const done = await importFile(CONTENT, '--json');
  expect([done.code, JSON.parse(done.out), done.said]).toEqual([0, expected, '']);
  const again = await importFile(CONTENT);
  expect(again.out).toBe(`0 created, 0 updated, 1 unchanged, 1 failed\n  line 3: ${REFUSED}\n`);
});

test('import exits 1 on a file that cannot be taken, 2 without a sub-account', async () => {
  const unknown = await importFile('firstName,lastName,nick\nA,B,c\n', '--json');
  expect([unknown.code, unknown.out]).toEqual([1, '']);
  expect(JSON.parse(unknown.said).error.message).toMatch(/^line 1: nick is not a column/);
  const missing = await frontdesk(
    'admin',
    'contact',
    'import',
    '/nowhere.csv',
    '--sub-account',
    sub,
  );
  expect([missing.code, missing.said]).toEqual([1, expect.stringContaining('cannot be read')]);
  expect((await frontdesk('admin', 'contact', 'import', '/nowhere.csv')).code).toBe(2);
});

test('export writes a file, or the same to standard output', async () => {
  const path = join(folder, 'out.csv');
  const args = ['admin', 'contact', 'export', path, '--sub-account', sub];
  const { code, out } = await frontdesk(...args, '--json');
  expect([code, JSON.parse(out)]).toEqual([0, { file: path, contacts: 1 }]);
  const piped = await frontdesk('admin', 'contact', 'export', '-', '--sub-account', sub);
  expect(piped.out).toBe(await readFile(path, 'utf8'));
  const both = await frontdesk('admin', 'contact', 'export', '-', '--sub-account', sub, '--json');
  expect([both.code, both.out]).toEqual([2, '']);
  // After --, a word that looks like a switch is an argument.
  const argument = await frontdesk('admin', 'key', 'show', '--', '--json');
  expect([argument.code, argument.said]).toEqual([1, expect.stringMatching(/^frontdesk: /)]);
});
