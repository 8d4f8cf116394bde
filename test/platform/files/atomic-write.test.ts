import {
  chmod,
  lstat,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createFileAtomically,
  replaceFile,
  writeFileAtomically,
} from '#platform/files/atomic-write.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-atomic-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('a replaced file is private, whatever mode the old one had', async () => {
  const path = join(folder, 'secret');
  await writeFile(path, 'old');
  await chmod(path, 0o644);
  await writeFileAtomically(path, 'new');
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['new', 0o600]);
  expect(await readdir(folder)).toEqual(['secret']);
});

test('a symbolic link is replaced, and the file it leads to stays as it is', async () => {
  const path = join(folder, 'secret');
  const target = join(folder, 'of-another-user');
  await writeFile(target, 'theirs');
  await symlink(target, path);
  await writeFileAtomically(path, 'ours');
  expect((await lstat(path)).isSymbolicLink()).toBe(false);
  expect([await readFile(target, 'utf8'), await readFile(path, 'utf8')]).toEqual([
    'theirs',
    'ours',
  ]);
});

test('a given mode holds, whatever the umask', async () => {
  const umask = process.umask(0o077);
  try {
    await writeFileAtomically(join(folder, 'unit'), 'text', 0o644);
  } finally {
    process.umask(umask);
  }
  expect(await modeOf(join(folder, 'unit'))).toBe(0o644);
});

test('a write that fails leaves the old file and no draft', async () => {
  const path = join(folder, 'file');
  await writeFile(path, 'old');
  const failing = replaceFile(path, async (draft) => {
    await writeFile(draft, 'half');
    throw new Error('disk full');
  });
  await expect(failing).rejects.toThrow('disk full');
  expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['old', ['file']]);
});

test('a file is created once: of several writers one wins, and the file is never overwritten', async () => {
  const path = join(folder, 'key');
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map((text) => createFileAtomically(path, text)),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  const kept = await readFile(path, 'utf8');
  expect(await createFileAtomically(path, 'later')).toBe(false);
  expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual([kept, 0o600]);
  expect(await readdir(folder)).toEqual(['key']);
});
