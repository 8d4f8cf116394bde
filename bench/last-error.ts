import { open } from 'node:fs/promises';

const TAIL_BYTES = 64 * 1_024;

/** What the product logged last as a bug, if that is in the tail of its log. */
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
