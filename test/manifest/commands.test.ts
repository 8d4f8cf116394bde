import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey } from '../support/frontdesk.ts';

let database: TestDatabase;
let folder: string;
let subAccountId: string;
const secretKey = newKey();

const admin = (...args: string[]) =>
  frontdesk(['admin', ...args], {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: secretKey,
    BOOKING_HOST: 'harbour.example',
  });

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-manifest-'));
  await frontdesk(['migrate'], { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: secretKey });
  const { stdout } = await admin('sub-account', 'create', '--name', 'Harbour', '--json');
  subAccountId = JSON.parse(stdout).id;
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const HARBOUR = `
team: [{key: anna, name: Anna}]
customValues: {link: "https://\${env:BOOKING_HOST}"}
`;

describe('frontdesk admin', () => {
  test('diff, apply, export and diff again', async () => {
    const path = await file('harbour.yaml', HARBOUR);
    const at = ['-f', path, '--sub-account', subAccountId];
    const plan = await admin('diff', ...at, '--json');
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    const applied = await admin('apply', ...at, '--json');
    expect({ ...JSON.parse(applied.stdout), ids: null }).toEqual({
      ...JSON.parse(plan.stdout),
      ids: null,
    });
    const { stdout } = await admin('export', '--sub-account', subAccountId);
    expect(stdout).toContain('link: https://harbour.example');
    const again = ['-f', await file('exported.yaml', stdout), '--sub-account', subAccountId];
    expect((await admin('diff', ...again)).stdout).toBe('3 unchanged\n');
  });

  test('a wrong file exits 1 with its name, line and path, and nothing on stdout', async () => {
    const path = await file('wrong.yaml', 'team:\n  - key: ben\n    nam: Ben\n');
    const ran = await admin('apply', '-f', path, '--sub-account', subAccountId);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`${path}:3:5: /team/0/nam is not a known field here`);
    expect(ran.stderr).toContain(`${path}:2:5: /team/0/name is required`);
  });

  test('a file that is not there, or a sub-account, exits 1', async () => {
    const gone = await admin('apply', '-f', join(folder, 'gone'), '--sub-account', subAccountId);
    expect(gone).toMatchObject({ code: 1, stdout: '' });
    expect(gone.stderr).toContain('the manifest cannot be read');
    const path = await file('empty.yaml', '{}');
    const nowhere = await admin('apply', '-f', path, '--sub-account', 'nope');
    expect(nowhere.stderr).toContain('there is no sub-account nope');
  });

  test('--prune asks first, unless it is only tried', async () => {
    const at = ['-f', await file('none.yaml', '{}'), '--sub-account', subAccountId, '--prune'];
    expect(await admin('apply', ...at)).toMatchObject({ code: 2, stdout: '' });
    expect(await admin('apply', ...at, '--dry-run')).toMatchObject({
      code: 0,
      stdout: 'would remove customValues link\nwould remove team anna\n0 unchanged\n',
    });
    expect(await admin('apply', ...at, '--yes')).toMatchObject({
      code: 0,
      stdout: 'removed customValues link\nremoved team anna\n0 unchanged\n',
    });
  });
});
