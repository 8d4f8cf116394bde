import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../refuse.ts';

const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;
const WRITABLE_BY_OTHERS = 0o022;

/** Copies the binaries for every user to read, at once or not at all; takes a copy made earlier. */
export async function copyNative(
  native: string,
  copy: string,
  log: (line: string) => void,
): Promise<string> {
  if (await isOurs(copy)) {
    return copy;
  }
  log(`copying PostgreSQL's binaries to ${copy}`);
  const fresh = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    await openToAll(fresh);
    await rename(fresh, copy);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another process was faster.
    if (!(codeOf(error) === 'ENOTEMPTY' && (await isOurs(copy)))) {
      throw error;
    }
  }
  return copy;
}

/** What others could have written is not run. */
async function isOurs(copy: string): Promise<boolean> {
  const found = await lstat(copy).catch(() => undefined);
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === process.getuid?.() &&
    (found.mode & WRITABLE_BY_OTHERS) === 0
  );
}

/** Static libraries are for compilers. */
const isNeeded = (file: string): boolean => !file.endsWith('.a');

/** An install or a copy under umask 077 leaves files that only their owner reads. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, PROGRAM_MODE);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => !found.isSymbolicLink())) {
    const isProgram = entry.isDirectory() || entry.parentPath === join(folder, 'bin');
    await chmod(join(entry.parentPath, entry.name), isProgram ? PROGRAM_MODE : FILE_MODE);
  }
}
