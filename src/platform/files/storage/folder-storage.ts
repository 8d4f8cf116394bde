import { access, constants, lchown, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { FileKey, OpenFile } from '#core/files.ts';
import { removeDrafts, replaceFile } from '../atomic-write.ts';
import { makeFolders } from '../make-folders.ts';
import { freeSpaceFor } from './free-space.ts';
import { keyOfName, storedName, type Storage } from './storage.ts';

const OWNER_ONLY = 0o600;
const FOLDER_OWNER_ONLY = 0o700;

/** Each piece of a file passes several streams: four times the usual size takes a fraction of the time. */
const READ_BYTES = 256 * 1024;

/** Stores files in a folder of this machine, or of a network file system that all processes share. */
export const folderStorage = (folder: string): Storage => ({
  place: folder,
  async put(key, bytes) {
    const path = pathOf(folder, key);
    const owner = await ownerAround(folder);
    const made = await makeFolders(dirname(path), FOLDER_OWNER_ONLY);
    if (owner && made !== undefined) {
      await giveFolders(made, dirname(path), owner);
    }
    await replaceFile(path, (draft) => writeWhole(draft, bytes, owner));
  },
  open: (key) => orMissing(() => openPath(pathOf(folder, key))),
  async remove(key) {
    const path = pathOf(folder, key);
    await removeDrafts(path);
    await rm(path, { force: true });
  },
  list: () => keysIn(folder),
  freeSpace: () => freeSpaceFor(folder),
  isMissing: () => isMissing(folder),
  removeFolder: (subAccountId) => rm(join(folder, subAccountId), { recursive: true, force: true }),
});

const pathOf = (folder: string, key: FileKey): string => join(folder, storedName(key));

type Owner = Readonly<Record<'uid' | 'gid', number>>;

/**
 * Returns the owner of files that root writes, as a restore does: the owner of the folder or, if it is
 * missing, of its parent. The service runs as this user.
 */
async function ownerAround(folder: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const owner = await orMissing(() => stat(folder));
  return owner ?? (dirname(folder) === folder ? undefined : ownerAround(dirname(folder)));
}

/** Gives the folders from `first` down to `last` to the owner, who may have put a link in their place. */
async function giveFolders(first: string, last: string, { uid, gid }: Owner): Promise<void> {
  for (let path = last; path.length >= first.length; path = dirname(path)) {
    await lchown(path, uid, gid);
  }
}

async function writeWhole(
  path: string,
  bytes: Uint8Array,
  owner: Owner | undefined,
): Promise<void> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(bytes);
    if (owner) {
      await handle.chown(owner.uid, owner.gid);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openPath(path: string): Promise<OpenFile> {
  const handle = await open(path);
  try {
    const { size: sizeBytes } = await handle.stat();
    const source = handle.createReadStream({ highWaterMark: READ_BYTES });
    return { sizeBytes, stream: Readable.toWeb(source) as ReadableStream<Uint8Array> };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function orMissing<R>(act: () => Promise<R>): Promise<R | undefined> {
  try {
    return await act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Throws if the folder is missing and cannot be created in its nearest existing parent. */
async function isMissing(folder: string): Promise<boolean> {
  if ((await orMissing(() => stat(folder))) !== undefined) {
    return false;
  }
  const parent = dirname(folder);
  if (!(await isMissing(parent))) {
    await access(parent, constants.W_OK | constants.X_OK);
  }
  return true;
}

/** Skips drafts that a killed process left, and files of others. */
async function* keysIn(folder: string): AsyncGenerator<FileKey> {
  if ((await orMissing(() => stat(folder))) === undefined) {
    return;
  }
  for await (const entry of await opendir(folder, { recursive: true })) {
    const name = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
    const key = entry.isFile() ? keyOfName(name) : undefined;
    if (key) {
      yield key;
    }
  }
}
