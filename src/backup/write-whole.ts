import { createWriteStream, rmSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Fault } from '#core/fault.ts';
import { replaceFile } from '#platform/files/atomic-write.ts';

const OWNER_ONLY = 0o600;

/**
 * Writes a file that only its owner may read, and that gets its name once it is complete and on the
 * disk. Returns its size. Follows a symbolic link and replaces its target. Throws a Fault where
 * `file` is a device or a folder.
 */
export async function writeWhole(
  file: string,
  write: (out: Writable) => Promise<void>,
): Promise<number> {
  const target = await realpath(file).catch(() => file);
  await requireReplaceable(file, target);
  let size = 0;
  let stopWatching = () => {};
  try {
    await replaceFile(target, async (draft) => {
      stopWatching = removeOnSignal(draft);
      await write(createWriteStream(draft, { flags: 'wx', mode: OWNER_ONLY, flush: true }));
      size = (await stat(draft)).size;
    });
    return size;
  } catch (error) {
    throw unwritable(file, error);
  } finally {
    stopWatching();
  }
}

async function requireReplaceable(file: string, target: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there && !there.isFile()) {
    const what = there.isDirectory() ? 'is a folder' : 'is no file';
    throw new Fault('VALIDATION_ERROR', `${file} cannot be written: it ${what}`);
  }
}

/** A file that is not whole is of no use to anybody who ends the command. */
function removeOnSignal(path: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = () => signals.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals) => {
    stop();
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  signals.forEach((signal) => process.on(signal, onSignal));
  return stop;
}

function unwritable(file: string, error: unknown): unknown {
  const { syscall = '', message } = error as NodeJS.ErrnoException;
  return FILE_CALLS.has(syscall)
    ? new Fault('VALIDATION_ERROR', `${file} cannot be written: ${message}`)
    : error;
}

/** Of system calls, those that fail for the file's sake; the database has others. */
const FILE_CALLS = new Set(['open', 'write', 'fsync', 'close', 'rename', 'stat']);
