import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from '#core/files.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';

/** The limit of the tests: small, so that a larger file is quickly sent. */
export const FILES_MAX_BYTES = 2 * 1024 * 1024;

let folder: string | undefined;

/** A folder for stored files, which the tests of a process share: their names are random. */
export function testFiles() {
  folder ??= newFolder();
  return { filesDir: folder, filesMaxBytes: FILES_MAX_BYTES, filesS3Region: 'us-east-1' };
}

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'frontdesk-files-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The storage in that folder. */
export const testFileStore = (): FileStore => openFileStore(testFiles(), { warn: () => undefined });
