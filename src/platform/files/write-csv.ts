import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { Fault } from '#core/fault.ts';
import { replaceFile } from './atomic-write.ts';

type Rows = AsyncIterable<readonly string[]>;

/**
 * Writes a CSV to standard output as fast as the reader takes it; one that has enough is no failure.
 * The last line is left open, for a command ends what it prints with a line break.
 */
export async function writeCsvOut(rows: Rows): Promise<void> {
  try {
    await pipeline(rows, stringify({ eof: false }), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
      throw error;
    }
  }
}

/** Writes a file that only its owner may read, and that exists complete or not at all. */
export async function writeCsvFile(rows: Rows, path: string): Promise<void> {
  try {
    await replaceFile(path, (draft) =>
      pipeline(
        rows,
        stringify(),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      ),
    );
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall && 'path' in (error as object)
      ? new Fault('VALIDATION_ERROR', `${path} cannot be written: ${message}`)
      : error;
  }
}
