import type { FileStore } from '#core/files.ts';

/** One of the places where files are stored. Its errors are those of the file system or the network. */
export type Storage = Omit<FileStore, 'maxBytes' | 'probe'>;

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
