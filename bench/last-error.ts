import { open } from 'node:fs/promises';

const TAIL_BYTES = 64 * 1_024;

/** Returns the last bug in the tail of the product's log, if there is one. */
export async function lastError(logFile: string): Promise<string> {
  const file = await open(logFile);
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    await file.read(tail, 0, tail.length, size - tail.length);
    const lines = tail.toString().split('\n');
    return lines.findLast((line) => /^\{"level":[56]0/.test(line)) ?? '';
  } finally {
    await file.close();
  }
}
