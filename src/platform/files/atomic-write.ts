import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '#core/fault.ts';
import { reasonOf } from '../process/system-error.ts';

const OWNER_ONLY = 0o600;

/**
 * Replaces a file in one step: readers see the old file or the whole new one, also after a crash.
 * `write` fills the draft at the path it gets. A symbolic link at `path` is replaced, not followed.
 */
export async function replaceFile(
  path: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = draftOf(path);
  try {
    await write(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushFolder(dirname(path));
}

/** Replaces a file with this text. Its mode is `mode`; the mode of the old file does not matter. */
export const writeFileAtomically = (path: string, text: string, mode = OWNER_ONLY): Promise<void> =>
  replaceFile(path, (draft) => writeDraft(draft, text, mode));

/**
 * Replaces a file with what `write` passes to its stream at once; only its owner may read it.
 * Throws VALIDATION_ERROR if the file cannot be written.
 */
export async function streamToFile(
  path: string,
  write: (file: WriteStream) => Promise<void>,
): Promise<void> {
  try {
    await replaceFile(path, (draft) =>
      write(createWriteStream(draft, { flags: 'wx', mode: OWNER_ONLY, flush: true })),
    );
  } catch (error) {
    throw writeRefusal(path, error);
  }
}

/** Returns VALIDATION_ERROR for an error about the file; what is written to it may come from a database. */
export function writeRefusal(path: string, error: unknown): unknown {
  const { path: named, syscall = '' } = error as NodeJS.ErrnoException;
  return named !== undefined || FILE_CALLS.has(syscall)
    ? new Fault('VALIDATION_ERROR', `${path} cannot be written: ${reasonOf(error)}`)
    : error;
}

/** An error of one of these system calls is about a file, not about a connection. A full disk has no path. */
const FILE_CALLS = new Set(['open', 'write', 'fsync', 'close', 'rename', 'stat']);

/** Creates a file atomically. Returns false, and changes nothing, if `path` exists. */
export async function createFileAtomically(
  path: string,
  text: string,
  mode = OWNER_ONLY,
): Promise<boolean> {
  const draft = draftOf(path);
  try {
    await writeDraft(draft, text, mode);
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  await flushFolder(dirname(path));
  return true;
}

/** A random name: process ids repeat in containers, and a leftover draft would block the next run. */
const draftOf = (path: string): string => `${path}.${randomUUID()}${DRAFT_END}`;
const DRAFT_END = '.part';

/** Removes the drafts of a file that killed processes left. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
    return [];
  });
  const drafts = names.filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT_END),
  );
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

async function writeDraft(draft: string, text: string, mode: number): Promise<void> {
  // Private until it is complete: the umask and `mode` may open it to others.
  const handle = await open(draft, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(text);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the new name survive a power cut. Not every file system supports it. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
