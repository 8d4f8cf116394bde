import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { openGuardedThread, ThreadOverrun } from '#platform/process/guarded-thread.ts';
import { shareThreads } from '#platform/process/shared-threads.ts';
import type { FetchOptions } from './fetch-ics.ts';
import { parseMultistatus, type DavResponse } from './parse-multistatus.ts';

/** Bodies up to this size take less time than the start of a thread. */
const INLINE_MAX_BYTES = 16 * 1024;

/** An attribute of 5 MB takes 2 s; the slowest other known body, 1 s; a valid one, 0.4 s. */
const DEADLINE_MS = 5 * SECOND_MS;

/** A sub-account uses one thread at a time. */
const parseInThread = shareThreads<Uint8Array, DavResponse[] | undefined>({
  open: () =>
    openGuardedThread({
      file: new URL('./multistatus-thread.ts', import.meta.url),
      deadlineMs: DEADLINE_MS,
      memoryMaxMb: 256,
      idleMs: MINUTE_MS / 2,
    }),
  threads: 3,
});

/** The body is read for a sub-account, until `signal` is aborted, or for `timeoutMs` with the wait. */
interface Reader extends Pick<FetchOptions, 'signal' | 'timeoutMs'> {
  readonly subAccountId: string;
}

/**
 * Returns the responses of a multistatus, or undefined for another document, without blocking the process
 * for long. Rejects with the reason if the body cannot be read.
 */
export async function readMultistatus(
  body: Buffer,
  { subAccountId, signal, timeoutMs }: Reader,
): Promise<readonly DavResponse[] | undefined> {
  if (body.length <= INLINE_MAX_BYTES) {
    return parseMultistatus(body);
  }
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await parseInThread(subAccountId, shared(body), late);
  } catch (error) {
    if (error instanceof ThreadOverrun || late.aborted) {
      throw new Error('it takes too long to read', { cause: error });
    }
    throw error;
  }
}

/** Returns a copy that is passed to a thread without another one: each costs 20 ms for 5 MB. */
function shared(body: Buffer): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(body.length));
  bytes.set(body);
  return bytes;
}
