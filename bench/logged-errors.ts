import { createReadStream } from 'node:fs';
import { stat, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** pino's levels error and fatal. */
const ERROR = /^\{"level":[56]0\b/;

/** Reads the lines that the product has logged as errors. */
export interface LoggedErrors {
  /** The errors since the last call, from every log file that exists. */
  read(): Promise<string[]>;
}

export function loggedErrors(files: readonly string[]): LoggedErrors {
  const readTo = new Map<string, number>();
  return {
    async read() {
      const found: string[] = [];
      for (const file of files) {
        const start = readTo.get(file) ?? 0;
        const size = await sizeOf(file);
        readTo.set(file, size);
        if (size > start) {
          found.push(...(await errorsIn(file, start, size)));
        }
      }
      return found;
    },
  };
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

async function errorsIn(file: string, start: number, size: number): Promise<string[]> {
  const found: string[] = [];
  const input = createReadStream(file, { start, end: size - 1 });
  for await (const line of createInterface({ input })) {
    if (ERROR.test(line)) {
      found.push(line);
    }
  }
  return found;
}

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
