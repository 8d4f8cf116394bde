import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { newKey } from '../support/frontdesk.ts';
import { readExposition } from './exposition.support.ts';
import { newDatabase, newFolder, run } from './backup.support.ts';

const NAME = /^frontdesk-\d{8}T\d{6}Z\.backup$/;
const OLD = 'frontdesk-20200101T030000Z.backup';
const OLDER = 'frontdesk-20190101T030000Z.backup';
const FUTURE = 'frontdesk-20990101T030000Z.backup';

let installation: Installation;
/** The folder whose age the server reports. */
let served: string;
beforeAll(async () => {
  served = await mkdtemp(join(tmpdir(), 'frontdesk-served-'));
  installation = await startInstallation({ FRONTDESK_BACKUP_DIR: served });
});
afterAll(async () => {
  await installation.close();
  await rm(served, { recursive: true, force: true });
});

const scheduled = (folder: string, more = {}, url = installation.databaseUrl) =>
  run(['backup', 'scheduled'], url, { FRONTDESK_BACKUP_DIR: folder, ...more });

const fill = (folder: string, ...names: readonly string[]) =>
  Promise.all(names.map((name) => writeFile(join(folder, name), name)));

const backupsFinding = async (folder: string) => {
  const { json } = await run(['doctor'], 'postgres://user@127.0.0.1:1/nowhere', {
    FRONTDESK_BACKUP_DIR: folder,
  });
  return json.checks.find(({ name }: { name: string }) => name === 'backups');
};

describe('a scheduled backup', () => {
  test('creates its folder, is named by its time, and can be verified', async () => {
    const folder = join(await newFolder(), 'deep/backups');
    const { code, json } = await scheduled(folder);
    expect({ code, removed: json.removed }).toEqual({ code: 0, removed: [] });
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(NAME);
    expect(json.file).toBe(join(folder, name));
    expect(await run(['backup', 'verify', json.file], '')).toMatchObject({
      code: 0,
      json: { rows: json.rows },
    });
  });

  test('removes the oldest beyond FRONTDESK_BACKUP_KEEP, and only files that it named', async () => {
    const folder = await newFolder();
    const foreign = ['frontdesk-2019-01-01.backup', 'notes.txt', `my-${OLDER}`];
    await fill(folder, OLD, OLDER, `${OLDER}.unverified`, ...foreign);
    await mkdir(join(folder, 'frontdesk-20180101T030000Z.backup'));
    const { code, json } = await scheduled(folder, { FRONTDESK_BACKUP_KEEP: '2' });
    expect(code).toBe(0);
    expect(new Set(json.removed)).toEqual(
      new Set([OLDER, `${OLDER}.unverified`].map((name) => join(folder, name))),
    );
    const left = await readdir(folder);
    expect(left).toEqual(
      expect.arrayContaining([...foreign, OLD, 'frontdesk-20180101T030000Z.backup']),
    );
    expect(left).toHaveLength(foreign.length + 3);
  });

  test('stays even if the clock was put back and other files look newer', async () => {
    const folder = await newFolder();
    await fill(folder, FUTURE);
    const { json } = await scheduled(folder, { FRONTDESK_BACKUP_KEEP: '1' });
    expect(json.removed).toEqual([join(folder, FUTURE)]);
    expect(await readdir(folder)).toEqual([json.file.slice(folder.length + 1)]);
  });

  test.each([
    ['cannot be written', async () => ({}), () => newDatabase('empty')],
    [
      'belongs to another key',
      async () => ({ FRONTDESK_SECRET_KEY: newKey() }),
      async () => installation.databaseUrl,
    ],
  ])('that %s removes no older one and leaves no file', async (_, variables, database) => {
    const folder = await newFolder();
    await fill(folder, OLD, OLDER);
    const failed = await scheduled(
      folder,
      { FRONTDESK_BACKUP_KEEP: '1', ...(await variables()) },
      await database(),
    );
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect((await readdir(folder)).sort()).toEqual([OLDER, OLD]);
    expect(await readFile(join(folder, OLD), 'utf8')).toBe(OLD);
  });

  test('names the folder that it cannot create', async () => {
    const file = join(await newFolder(), 'file');
    await writeFile(file, '');
    const failed = await scheduled(join(file, 'backups'));
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain(`FRONTDESK_BACKUP_DIR: ${file}/backups cannot be created`);
  });

  test.each([
    ['FRONTDESK_BACKUP_DIR', 'backups'],
    ['FRONTDESK_BACKUP_KEEP', '0'],
    ['FRONTDESK_BACKUP_KEEP', 'all'],
  ])('refuses %s=%s', async (name, value) => {
    const failed = await run(['backup', 'scheduled'], installation.databaseUrl, { [name]: value });
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toContain(`${name}: invalid value`);
  });
});

describe('the age of the last backup', () => {
  test('is reported by doctor, which warns after 36 hours', async () => {
    const folder = await newFolder();
    expect(await backupsFinding(folder)).toMatchObject({ status: 'ok' });
    await fill(folder, OLD);
    expect(await backupsFinding(folder)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('2020-01-01T03:00:00.000Z'),
      fix: expect.stringContaining('frontdesk-backup'),
    });
    await fill(folder, FUTURE);
    expect(await backupsFinding(folder)).toMatchObject({
      fix: expect.stringContaining('frontdesk-backup'),
    });
    await scheduled(folder);
    expect(await backupsFinding(folder)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining(FUTURE),
      fix: expect.stringContaining('clock'),
    });
    await rm(join(folder, FUTURE));
    expect(await backupsFinding(folder)).toMatchObject({ status: 'ok' });
  });

  test('is a metric of the server, until there is no folder', async () => {
    const age = async () => {
      const known = readExposition(await (await fetch(`${installation.url}/metrics`)).text());
      return known.get('frontdesk_backup_age_seconds')?.samples.map(({ value }) => value);
    };
    await fill(served, OLD);
    const [old = 0] = (await age()) ?? [];
    expect(old).toBeGreaterThan(5 * 365 * 86_400);
    await scheduled(served);
    const [fresh = old] = (await age()) ?? [];
    expect(fresh).toBeLessThan(3_600);
    await rm(served, { recursive: true });
    expect(await age()).toEqual([]);
  });

  test('is unknown in a folder that is set and missing, or cannot be read', async () => {
    const folder = await newFolder();
    await fill(folder, 'file');
    for (const bad of [join(folder, 'none'), join(folder, 'file')]) {
      expect(await backupsFinding(bad)).toMatchObject({
        status: 'warn',
        message: expect.stringContaining(bad),
      });
    }
  });
});
