import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import type { FetchOptions } from './fetch-ics.ts';
import type { BusyQuery, Period } from './parse-busy.ts';

/** The calendar is read for a sub-account, until `signal` is aborted, or for `timeoutMs` with the wait. */
interface Reader extends Pick<FetchOptions, 'signal' | 'timeoutMs'> {
  readonly subAccountId: string;
}

/** A large calendar takes 0.2 s. */
const TIME_MAX_MS = 5_000;
const MEMORY_MAX_MB = 256;
/** Each takes a processor, and up to 400 MB. */
const THREADS_AT_ONCE = 4;

const gate = openGate({ shares: openShares<string>(THREADS_AT_ONCE) });

/**
 * Runs `parseBusy` on all texts in a thread with limits on time and memory: a recurrence rule that never
 * matches would otherwise block every other job of the process. Sub-accounts share the threads. Rejects
 * with the reason.
 */
export async function readBusy(
  texts: readonly string[],
  query: BusyQuery,
  { subAccountId, signal, timeoutMs }: Reader,
): Promise<Period[]> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await gate.run(subAccountId, () => parse(texts, query, late), late);
  } catch (error) {
    const { message } = error as Error;
    const why = isLate(error) ? 'it takes too long to read' : `it cannot be read: ${message}`;
    throw new Error(why, { cause: error });
  }
}

const isLate = (error: unknown): boolean =>
  ['AbortError', 'TimeoutError'].includes((error as Error).name);

async function parse(
  texts: readonly string[],
  query: BusyQuery,
  signal: AbortSignal,
): Promise<Period[]> {
  const thread = new Worker(new URL('./busy-thread.ts', import.meta.url), {
    workerData: { texts, query },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
  });
  // While it is being ended there is no other listener, and an unheard error would end the process.
  thread.on('error', () => undefined);
  const late = AbortSignal.any([signal, AbortSignal.timeout(TIME_MAX_MS)]);
  try {
    const [busy] = (await once(thread, 'message', { signal: late })) as [Period[]];
    return busy;
  } finally {
    await thread.terminate();
  }
}
