import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { Fault } from '#kit/fault.ts';

const OWNER_ONLY = 0o600;

/**
 * Writes a file that its owner alone may read, and that has its name once it is whole and on the
 * disk; answers its size. A link stays one: what it leads to is replaced. What is no file, a device
 * or a folder, is refused.
 */
export async function writeWhole(
  file: string,
  write: (out: Writable) => Promise<void>,
): Promise<number> {
  const target = await realpath(file).catch(() => file);
  await requireReplaceable(file, target);
  // Not the process id: where every process of a container has the same, one that was killed would
  // stand in the way of all that come after it.
  const unfinished = `${target}.${randomUUID()}.part`;
  const stopWatching = removeOnSignal(unfinished);
  try {
    await write(createWriteStream(unfinished, { flags: 'wx', mode: OWNER_ONLY, flush: true }));
    const { size } = await stat(unfinished);
    await rename(unfinished, target);
    await flushFolder(dirname(target));
    return size;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
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

/** So that the new name outlives a power cut, too. Not every file system can. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function unwritable(file: string, error: unknown): unknown {
  const { syscall = '', message } = error as NodeJS.ErrnoException;
  return FILE_CALLS.has(syscall)
    ? new Fault('VALIDATION_ERROR', `${file} cannot be written: ${message}`)
    : error;
}

/** Of system calls, those that fail for the file's sake; the database has others. */
const FILE_CALLS = new Set(['open', 'write', 'fsync', 'close', 'rename', 'stat']);
