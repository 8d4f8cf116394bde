import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BusyQuery, Period } from './period.ts';

/** A large calendar takes 0.2 s. */
const TIME_MAX_MS = 5_000;
const MEMORY_MAX_MB = 256;

/**
 * Runs `parseBusy` on all texts in a thread with limits on time and memory: a recurrence rule that never
 * matches would otherwise block every other job of the process. Rejects with the reason.
 */
export async function readBusy(texts: readonly string[], query: BusyQuery): Promise<Period[]> {
  const thread = new Worker(new URL('./busy-thread.ts', import.meta.url), {
    workerData: { texts, query },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  });
  const late = AbortSignal.timeout(TIME_MAX_MS);
  try {
    const [busy] = (await once(thread, 'message', { signal: late })) as [Period[]];
    return busy;
  } catch (error) {
    const { message } = error as Error;
    const why = late.aborted ? 'it takes too long to read' : `it cannot be read: ${message}`;
    throw new Error(why, { cause: error });
  } finally {
    await thread.terminate();
  }
}
