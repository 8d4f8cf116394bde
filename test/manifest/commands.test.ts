import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey } from '../support/frontdesk.ts';
import { bindKey } from '../support/bind-key.ts';

/** Each command is a process of its own. */
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let folder: string;
let subAccountId: string;
const secretKey = newKey();

const admin = (...args: string[]) =>
  frontdesk(['admin', ...args], {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: secretKey,
    CALENDAR_PASSWORD: 'hunter2',
  });

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-manifest-'));
  await bindKey({ DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: secretKey });
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
team:
  - key: anna
    name: Anna
    externalCalendar: {type: caldav, url: "https://dav.example/", user: anna, password: "\${env:CALENDAR_PASSWORD}"}
customValues: {link: "https://harbour.example"}
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
    expect(stdout).toContain('password: ${env:CALENDAR_PASSWORD}');
    expect(stdout).not.toContain('hunter2');
    const again = ['-f', await file('exported.yaml', stdout), '--sub-account', subAccountId];
    expect((await admin('diff', ...again)).stdout).toBe('3 unchanged\n');
  });

  test('diff shows old and new values, and exits 1 for them only with --exit-code', async () => {
    const text = `
calendars:
  - key: checkups
    name: Check-ups
    types: [{key: checkup, name: Check-up, duration: 30}]
`;
    const sub = ['--sub-account', subAccountId];
    await admin('apply', '-f', await file('calendars.yaml', text), ...sub);
    const same = ['-f', await file('calendars.yaml', text), ...sub, '--exit-code'];
    expect(await admin('diff', ...same)).toMatchObject({ code: 0, stdout: '1 unchanged\n' });
    const path = await file('longer.yaml', text.replace('duration: 30', 'duration: 45'));
    const at = ['-f', path, ...sub];
    expect(await admin('diff', ...at)).toMatchObject({
      code: 0,
      stdout:
        'would update calendars checkups: types\n    types/checkup/duration: 30 → 45\n0 unchanged\n',
    });
    const checked = await admin('diff', ...at, '--exit-code', '--json');
    expect(checked).toMatchObject({ code: 1, stderr: '' });
    const [updated] = JSON.parse(checked.stdout).updated;
    expect(updated.changes.types.from).toMatchObject([{ key: 'checkup', duration: 30 }]);
    expect(updated.changes.types.to).toMatchObject([{ key: 'checkup', duration: 45 }]);
  });

  test('a new value of a variable is a difference, but its values are never printed', async () => {
    const path = await file('harbour.yaml', HARBOUR);
    const at = ['-f', path, '--sub-account', subAccountId];
    const other = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: secretKey };
    const changed = await frontdesk(['admin', 'diff', ...at, '--exit-code'], {
      ...other,
      CALENDAR_PASSWORD: 'hunter3',
    });
    expect(changed).toMatchObject({
      code: 1,
      stdout:
        'would update team anna: externalCalendar\n    externalCalendar: a secret has a new value, which is not shown\n1 unchanged\n',
    });
  });

  test('--reassign without --prune is wrong usage', async () => {
    const at = ['-f', await file('empty.yaml', '{}'), '--sub-account', subAccountId];
    for (const command of ['apply', 'diff']) {
      const ran = await admin(command, ...at, '--reassign', 'anna');
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('--reassign needs --prune');
    }
  });

  test('a wrong file exits 1 with its name, line and path, and nothing on stdout', async () => {
    const path = await file('wrong.yaml', 'team:\n  - key: ben\n    nam: Ben\n');
    const ran = await admin('apply', '-f', path, '--sub-account', subAccountId);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(`${path}:3:5: /team/0/nam is not a known field here`);
    expect(ran.stderr).toContain(`${path}:2:5: /team/0/name is required`);
  });

  test('a missing file or an unknown sub-account exits 1', async () => {
    const gone = await admin('apply', '-f', join(folder, 'gone'), '--sub-account', subAccountId);
    expect(gone).toMatchObject({ code: 1, stdout: '' });
    expect(gone.stderr).toContain('the manifest cannot be read');
    const path = await file('empty.yaml', '{}');
    const nowhere = await admin('apply', '-f', path, '--sub-account', 'nope');
    expect(nowhere.stderr).toContain('there is no sub-account nope');
  });

  test('--prune asks first, except in a dry run', async () => {
    const at = ['-f', await file('none.yaml', '{}'), '--sub-account', subAccountId, '--prune'];
    expect(await admin('apply', ...at)).toMatchObject({ code: 2, stdout: '' });
    expect(await admin('apply', ...at, '--dry-run')).toMatchObject({
      code: 0,
      stdout:
        'would remove calendars checkups\nwould remove customValues link\nwould remove team anna\n0 unchanged\n',
    });
    expect(await admin('apply', ...at, '--yes')).toMatchObject({
      code: 0,
      stdout:
        'removed calendars checkups\nremoved customValues link\nremoved team anna\n0 unchanged\n',
    });
  });
});
