import { tmpdir } from 'node:os';
import { Fault, UsageFault } from '#core/fault.ts';
import { openUnnamedFile, type SourceFile } from '#platform/files/source-file.ts';
import { systemError } from '#platform/process/system-error.ts';
import { PIPE } from '../../backup.ts';

export const STANDARD_INPUT = 'standard input';

/**
 * Calls back with a file. An import reads its file several times, first to check that it is whole, so
 * standard input (`-`) is kept in a temporary file until the import ends. Throws a Fault if that cannot be
 * written.
 */
export async function withInputFile<R>(
  file: string,
  run: (input: SourceFile) => Promise<R>,
): Promise<R> {
  if (file !== PIPE) {
    return run(file);
  }
  if (process.stdin.isTTY) {
    throw new UsageFault('an export cannot be read from a terminal: name a file, or pipe one in');
  }
  const handle = await openUnnamedFile().catch(unkept);
  try {
    for await (const chunk of process.stdin) {
      await handle.writeFile(chunk as Buffer).catch(unkept);
    }
    return await run({ name: STANDARD_INPUT, handle });
  } finally {
    await handle.close();
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
