import { randomUUID } from 'node:crypto';
import { readWhole, type FileKey, type FileStore, type ProbeResult } from '#core/files.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { reasonOf } from '../../process/system-error.ts';
import { openSpace } from './free-space.ts';
import { folderStorage } from './folder-storage.ts';
import { s3Storage } from './s3-storage.ts';
import type { Storage, StorageSettings } from './storage.ts';

/** Where something failed, and why if there was an error. */
export interface StorageError {
  readonly err?: unknown;
  readonly storage: string;
}

interface StorageLog {
  warn(facts: StorageError, message: string): void;
}

/** Opens the storage of the environment: the bucket if one is set, otherwise the folder. */
export function openFileStore(settings: StorageSettings, log: StorageLog): FileStore {
  const storage = storageOf(settings);
  const explained = async <R>(act: () => Promise<R>): Promise<R> => {
    try {
      return await act();
    } catch (error) {
      log.warn({ err: error, storage: storage.place }, 'the file storage cannot be used');
      throw unavailable();
    }
  };
  const hasSpace = openSpace({ measure: storage.freeSpace });
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    place: storage.place,
    maxBytes: settings.filesMaxBytes,
    async requireSpace(bytes, uploader) {
      if (await hasSpace(bytes, uploader)) {
        return;
      }
      // A line for each upload would fill the disk as well.
      if (performance.now() - warnedAt > MINUTE_MS) {
        warnedAt = performance.now();
        log.warn({ storage: storage.place }, 'files are refused: the disk is nearly full');
      }
      throw nearlyFull();
    },
    put: (key, bytes) => explained(() => storage.put(key, bytes)),
    open: (key) => explained(() => storage.open(key)),
    remove: (key) => explained(() => storage.remove(key)),
    list: storage.list,
    probe: () => probe(storage),
  };
}

function storageOf(settings: StorageSettings): Storage {
  const { filesDir, filesS3Url: url, filesS3Region: region } = settings;
  const { filesS3KeyId: keyId, filesS3Secret: secret } = settings;
  if (url === undefined) {
    return folderStorage(filesDir);
  }
  if (keyId === undefined || secret === undefined) {
    throw new UsageFault(
      'FRONTDESK_FILES_S3_URL also needs FRONTDESK_FILES_S3_KEY_ID and FRONTDESK_FILES_S3_SECRET',
    );
  }
  return s3Storage({ url, region, keyId, secret });
}

/** The log has the reason, which may name paths and hosts. */
const unavailable = (): Fault =>
  new Fault('SERVICE_UNAVAILABLE', 'the file storage cannot be used at the moment; try again', {
    reason: 'file_storage',
  });

const nearlyFull = (): Fault =>
  new Fault('SERVICE_UNAVAILABLE', 'the disk of the file storage is nearly full; try again later', {
    reason: 'file_storage_full',
  });

/** Begins the sub-account of the file that `probe` writes: no real one has such an id. */
const PROBE_OWNER = '00000000-0000-0000-0000-';

async function probe(storage: Storage): Promise<ProbeResult> {
  const id = randomUUID();
  // Not the same one each time: another probe may run, and its folder is removed.
  const key = { subAccountId: `${PROBE_OWNER}${id.slice(PROBE_OWNER.length)}`, id };
  try {
    if (await storage.isMissing()) {
      return { status: 'missing' };
    }
    try {
      return await writeAndRead(storage, key);
    } finally {
      await storage.removeFolder(key.subAccountId);
    }
  } catch (error) {
    return { status: 'failed', reason: reasonOf(error) };
  }
}

async function writeAndRead(storage: Storage, key: FileKey): Promise<ProbeResult> {
  const written = Buffer.from(key.id);
  await storage.put(key, written);
  const found = await storage.open(key);
  const isSame = found !== undefined && written.equals(await readWhole(found));
  await storage.remove(key);
  return isSame
    ? { status: 'usable' }
    : { status: 'failed', reason: 'a file that was written could not be read back' };
}
