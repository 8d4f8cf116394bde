import type { FileStore, FileKey } from '#core/files.ts';
import { UUID } from '#lib/id.ts';
import type { FreeSpace } from './free-space.ts';

/** One of the places where files are stored. Its errors are those of the file system or the network. */
export interface Storage extends Omit<FileStore, 'maxBytes' | 'probe' | 'requireSpace'> {
  /** Returns the space of its disk; undefined if it is unknown. */
  freeSpace(): Promise<FreeSpace | undefined>;
  /** Returns whether its folder is missing. Throws if the first file could not create it. */
  isMissing(): Promise<boolean>;
  /** Removes the folder of a sub-account, if the storage has folders. */
  removeFolder(subAccountId: string): Promise<void>;
}

/** Where files are stored, from the environment. */
export interface StorageSettings {
  readonly filesDir: string;
  /** Bytes. */
  readonly filesMaxBytes: number;
  readonly filesS3Url?: string | undefined;
  readonly filesS3Region: string;
  readonly filesS3KeyId?: string | undefined;
  readonly filesS3Secret?: string | undefined;
}

/** Contents to remove from the storage. It is about the storage of this installation, not about data. */
export const FILE_DELETIONS_TABLE = 'file_deletions';

/**
 * SQL: no worker is removing the content of this deletion. A removal takes a minute at most. Taken later
 * than now means: by a clock that was ahead.
 */
export const isNotTaken = (row: string): string => `(${row}.taken_at is null or ${row}.taken_at
  not between now() - interval '5 minutes' and now() + interval '5 minutes')`;

const NAME = new RegExp(`^(${UUID})/[\\da-f]{2}/(${UUID})$`);

/** The last digits of an id are random: they spread the files of a sub-account over 256 folders. */
const SPREAD_DIGITS = 2;

/** Returns the name of a stored file: `sub-account/xx/id`. It contains nothing that a caller chose. */
export function storedName({ subAccountId, id }: FileKey): string {
  const name = `${subAccountId}/${id.slice(-SPREAD_DIGITS)}/${id}`;
  if (!NAME.test(name)) {
    throw new Error('a stored file is named by two ids in lower case');
  }
  return name;
}

/** Returns the key of a stored file; undefined for a name that `storedName` did not make. */
export function keyOfName(name: string): FileKey | undefined {
  const [, subAccountId, id] = NAME.exec(name) ?? [];
  return subAccountId && id ? { subAccountId, id } : undefined;
}
