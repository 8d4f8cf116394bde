import { mkdtemp, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../../src/platform/files/make-folders.ts';

const newFolder = () => mkdtemp(join(tmpdir(), 'frontdesk-folders-'));

test('creates missing parents with the mode, and returns the first of them', async () => {
  const base = await newFolder();
  const path = join(base, 'a', 'b', 'c');
  expect(await makeFolders(path, 0o700)).toBe(join(base, 'a'));
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(await makeFolders(path, 0o700)).toBeUndefined();
  expect(await makeFolders(join(path, 'd'))).toBe(join(path, 'd'));
});

test('takes a link to a folder for the folder', async () => {
  const base = await newFolder();
  await symlink(base, join(base, 'link'));
  expect(await makeFolders(join(base, 'link'))).toBeUndefined();
});

test.runIf(process.platform === 'linux')(
  'is refused in /proc, which answers that the folder itself is missing',
  async () => {
    await expect(makeFolders('/proc/nope/deeper')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test('is refused below a file, and in its place', async () => {
  const file = join(await newFolder(), 'file');
  await writeFile(file, '');
  await expect(makeFolders(join(file, 'folder'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolders(file)).rejects.toMatchObject({ code: 'EEXIST' });
});
