import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BusyQuestion, Period } from './busy-in.ts';

/** A large calendar takes a fifth of a second. */
const TIME_MAX_MS = 5_000;
const MEMORY_MAX_MB = 256;

/**
 * The same as `busyIn` of all the texts, whatever they are made to cost: a rule that never comes true
 * would otherwise hold up every other job of the process. Rejects saying why there is no answer.
 */
export async function readBusy(
  texts: readonly string[],
  question: BusyQuestion,
): Promise<Period[]> {
  const thread = new Worker(new URL('./busy-thread.ts', import.meta.url), {
    workerData: { texts, question },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  });
  const late = AbortSignal.timeout(TIME_MAX_MS);
  try {
    const [found] = (await once(thread, 'message', { signal: late })) as [Period[]];
    return found;
  } catch (error) {
    const { message } = error as Error;
    const why = late.aborted ? 'it takes too long to read' : `it cannot be read: ${message}`;
    throw new Error(why, { cause: error });
  } finally {
    await thread.terminate();
  }
}
