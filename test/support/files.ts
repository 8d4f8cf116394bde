import { inject } from 'vitest';
import type { FileStore } from '#core/files.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';

/** The limit of the tests: small, so that a larger file is quickly sent. */
export const FILES_MAX_BYTES = 2 * 1024 * 1024;

/** The folder for stored files, which the tests of a run share: their names are random. */
export const testFiles = () => ({
  filesDir: inject('filesDir'),
  filesMaxBytes: FILES_MAX_BYTES,
  filesS3Region: 'us-east-1',
});

/** The storage in that folder. */
export const testFileStore = (): FileStore => openFileStore(testFiles(), { warn: () => undefined });
