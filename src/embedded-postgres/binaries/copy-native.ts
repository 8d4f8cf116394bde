import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, readdir, rename, rm, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '#platform/process/run.ts';
import type { ServerUser } from '../cluster/server-user.ts';
import { codeOf, messageOf, refuse, SET_DATABASE_URL } from '../refuse.ts';

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

/** Asks the system itself, as that user: modes alone do not tell of ACLs and of folders above. */
export async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { user });
    return true;
  } catch (error) {
    // A system error instead of an answer: a container may forbid to become another user.
    if (codeOf(error) !== undefined) {
      throw refuse(
        `cannot become user ${user.name}, as root it has to (${messageOf(error)}); ` +
          `run as another user, or ${SET_DATABASE_URL}`,
      );
    }
    return false;
  }
}

/** The first may be closed to the server's user already: a service's state folder is. */
const FOLDERS = ['/var/lib/frontdesk', '/var/lib/frontdesk-postgres'];

/** A folder of root's that the server's user can enter; undefined where there cannot be one. */
export async function sharedFolder(user: ServerUser): Promise<string | undefined> {
  for (const folder of FOLDERS) {
    if ((await isMade(folder)) && (await canEnter(user, folder))) {
      return folder;
    }
  }
  return undefined;
}

async function isMade(folder: string): Promise<boolean> {
  try {
    if (await mkdir(folder, { recursive: true })) {
      // The umask may have closed it.
      await chmod(folder, 0o755);
    }
    return true;
  } catch {
    return false;
  }
}
