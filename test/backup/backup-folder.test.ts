import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  backupName,
  lastBackup,
  scheduledFiles,
  timeInName,
} from '../../src/backup/backup-folder.ts';

const AT = new Date('2026-12-01T03:00:07.123Z');

async function folderWith(...names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-folder-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await Promise.all(names.map((name) => writeFile(join(folder, name), '')));
  return folder;
}

describe('the name of a scheduled backup', () => {
  test('contains its time in UTC, and can be read back', () => {
    expect(backupName(AT)).toBe('frontdesk-20261201T030007Z.backup');
    expect(timeInName(backupName(AT))).toEqual(new Date('2026-12-01T03:00:07Z'));
  });

  test.each([
    'frontdesk-2026-12-01.backup',
    'frontdesk-20261201T030007Z.backup.gz',
    'frontdesk-20261301T030007Z.backup',
    'my-frontdesk-20261201T030007Z.backup',
    'frontdesk-20261201T030007Z.backup.unverified.part',
    'notes.txt',
  ])('is not that of %s', (name) => {
    expect(timeInName(name)).toBeUndefined();
  });
});

describe('the folder of scheduled backups', () => {
  test('is listed newest first, without other files and folders', async () => {
    const folder = await folderWith(
      'frontdesk-20261130T030000Z.backup',
      'frontdesk-20261201T030000Z.backup',
      'frontdesk-20261202T030000Z.backup.unverified',
      'frontdesk-2026-12-01.backup',
    );
    await mkdir(join(folder, 'frontdesk-20261203T030000Z.backup'));
    const files = await scheduledFiles(folder, new Date('2026-12-04T03:00:00Z'));
    expect(files.map(({ at, isBackup }) => [at.getUTCDate(), isBackup])).toEqual([
      [2, false],
      [1, true],
      [30, true],
    ]);
  });

  test('has the age of its newest backup, not of an unverified one', async () => {
    const folder = await folderWith(
      'frontdesk-20261201T030000Z.backup',
      'frontdesk-20261202T030000Z.backup.unverified',
    );
    expect(await lastBackup(folder, new Date('2026-12-01T04:00:00Z'))).toEqual({
      at: new Date('2026-12-01T03:00:00Z'),
      ageSeconds: 3_600,
      ahead: undefined,
    });
  });

  test('has those named by a clock ahead last, and not their age', async () => {
    const [old, ahead, far] = [
      'frontdesk-20261128T030000Z.backup',
      'frontdesk-20270601T030000Z.backup',
      'frontdesk-20270928T030000Z.backup',
    ] as const;
    const folder = await folderWith(ahead, old, far);
    const now = new Date('2026-12-01T03:00:00Z');
    const names = (await scheduledFiles(folder, now)).map(({ path }) => basename(path));
    expect(names).toEqual([old, far, ahead]);
    expect(await lastBackup(folder, now)).toEqual({
      at: new Date('2026-11-28T03:00:00Z'),
      ageSeconds: 3 * 86_400,
      ahead: join(folder, far),
    });
  });

  test('has its own age until there is a backup, and none if it is missing', async () => {
    const folder = await folderWith();
    const tomorrow = new Date(Date.now() + 86_400_000);
    const last = await lastBackup(folder, tomorrow);
    expect(last?.at).toBeUndefined();
    expect(last?.ageSeconds).toBeGreaterThanOrEqual(86_399);
    expect(await lastBackup(join(folder, 'none'), tomorrow)).toBeUndefined();
  });
});
