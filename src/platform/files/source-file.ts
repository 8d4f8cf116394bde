import { createReadStream, read, type ReadStream, type Stats } from 'node:fs';
import { mkdtemp, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that is read from its beginning, also several times: its path, or a handle with a name for messages. */
export type SourceFile = string | OpenedFile;

interface OpenedFile {
  readonly name: string;
  readonly handle: FileHandle;
}

export const nameOfSource = (source: SourceFile): string =>
  typeof source === 'string' ? source : source.name;

export const statSource = (source: SourceFile): Promise<Stats> =>
  typeof source === 'string' ? stat(source) : source.handle.stat();

export const streamSource = (source: SourceFile, highWaterMark = 65_536): ReadStream =>
  typeof source === 'string'
    ? createReadStream(source, { highWaterMark })
    : createReadStream('', { highWaterMark, fd: source.handle.fd, start: 0, fs: LEFT_OPEN });

/** A stream closes its descriptor, also without `autoClose`, when it is destroyed. */
const LEFT_OPEN = { read, close: (_: number, done: () => void) => done() } as never;

/**
 * Opens a new temporary file that has no name any more: nothing is left of it once it is closed, or once the
 * process is killed.
 */
export async function openUnnamedFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'));
  try {
    return await open(join(folder, 'unnamed'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
