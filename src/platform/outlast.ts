import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './database.ts';

const AGAIN_MS = 500;
/** Longer than a database needs to start anew, or another one to take its place. */
const LONGEST_MS = 10 * 60_000;

/**
 * Writes down what has happened out there and nobody else knows, however often the database is away
 * meanwhile. What is written may have arrived although its answer was lost: a repeat changes nothing.
 */
export async function outlast<T>(write: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > until) {
        throw error;
      }
    }
    // A process that ends does not wait for it.
    await sleep(AGAIN_MS, undefined, { ref: false });
  }
}
