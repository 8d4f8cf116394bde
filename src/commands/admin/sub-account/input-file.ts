import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault, UsageFault } from '#core/fault.ts';
import { removeOnSignal } from '#platform/files/remove-on-signal.ts';
import { systemError } from '#platform/process/system-error.ts';
import { PIPE } from '../../backup.ts';

const OWNER_ONLY = 0o600;
export const STANDARD_INPUT = 'standard input';

/** A file, and what messages call it. */
export interface InputFile {
  readonly path: string;
  readonly name: string;
}

/**
 * Calls back with a file. An import reads its file twice, first to check that it is whole, so standard
 * input (`-`) is kept in a temporary file until the import ends. Throws a Fault if that cannot be written.
 */
export async function withInputFile<R>(
  file: string,
  run: (input: InputFile) => Promise<R>,
): Promise<R> {
  if (file !== PIPE) {
    return run({ path: file, name: file });
  }
  if (process.stdin.isTTY) {
    throw new UsageFault('an export cannot be read from a terminal: name a file, or pipe one in');
  }
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-')).catch(unkept);
  const stopWatching = removeOnSignal(folder);
  try {
    const path = join(folder, 'standard-input');
    await pipeline(process.stdin, createWriteStream(path, { mode: OWNER_ONLY })).catch(unkept);
    return await run({ path, name: STANDARD_INPUT });
  } finally {
    await rm(folder, { recursive: true, force: true });
    stopWatching();
  }
}

function unkept(error: unknown): never {
  const reason = systemError(error)?.reason;
  throw reason === undefined
    ? error
    : new Fault(
        'VALIDATION_ERROR',
        `standard input cannot be kept in ${tmpdir()}: ${reason}; nothing was imported. Set TMPDIR to a folder with room for the export, or import a file`,
      );
}
