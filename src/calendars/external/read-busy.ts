import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { type CalendarDigest, type CalendarText, digestOf, textOf } from './digest-calendar.ts';
import type { FetchOptions } from './fetch-ics.ts';
import type { BusyQuery, BusyTimes } from './parse-busy.ts';

/** The calendar is read for a sub-account, until `signal` is aborted, or for `timeoutMs` with the wait. */
interface Reader extends Pick<FetchOptions, 'signal' | 'timeoutMs'> {
  readonly subAccountId: string;
}

/** What is done with a calendar once its digest is known. */
interface ReadPlan {
  /** Absent, the busy times are not read. */
  readonly query: BusyQuery | undefined;
}

interface ReadCalendar<P extends ReadPlan> {
  readonly plan: P;
  readonly busy: BusyTimes | undefined;
}

/** The server is to blame: the calendar's busy times stay those of the last fetch. */
export class UnreadableCalendar extends Error {}

/** Each of both steps, digest and busy times, of a large calendar takes 0.2 to 0.4 s. */
const TIME_MAX_MS = 5_000;
/** A calendar of 5 MB takes less than 48. Four threads then take up to 400 MB. */
const MEMORY_MAX_MB = 64;
const YOUNG_MAX_MB = 16;
/** Each takes a processor, and up to 100 MB. */
const THREADS_AT_ONCE = 4;
/** Digests of calendars up to this size take 3 ms at most, less than the start of a thread. */
const INLINE_MAX_BYTES = 64 * 1024;

const gate = openGate({ shares: openShares<string>(THREADS_AT_ONCE) });

/**
 * Plans with the digest of a calendar, and returns the plan, with the busy times if it has a query. Runs
 * `digestOf` and `parseBusy` in a thread with limits on time and memory: a recurrence rule that never
 * matches would otherwise block every other job of the process. Sub-accounts share the threads. Texts that
 * are bytes may be empty afterwards. Throws `UnreadableCalendar` with the reason, and the errors of `plan`.
 */
export async function readBusy<P extends ReadPlan>(
  texts: readonly CalendarText[],
  plan: (digest: CalendarDigest) => Promise<P>,
  { subAccountId, signal, timeoutMs }: Reader,
): Promise<ReadCalendar<P>> {
  const isSmall = texts.reduce((sum, { length }) => sum + length, 0) <= INLINE_MAX_BYTES;
  const known = isSmall ? await plan(digestOf(texts.map(textOf))) : undefined;
  if (known && !known.query) {
    return { plan: known, busy: undefined };
  }
  const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const leave = await gate.enter(subAccountId, () => late).catch(refuse);
  try {
    return await readInThread(texts, known ? async () => known : plan, late);
  } finally {
    leave();
  }
}

async function readInThread<P extends ReadPlan>(
  texts: readonly CalendarText[],
  plan: (digest: CalendarDigest) => Promise<P>,
  signal: AbortSignal,
): Promise<ReadCalendar<P>> {
  const thread = new Worker(new URL('./busy-thread.ts', import.meta.url), {
    workerData: texts,
    transferList: texts.flatMap(wholeBufferOf),
    resourceLimits: {
      maxOldGenerationSizeMb: MEMORY_MAX_MB,
      maxYoungGenerationSizeMb: YOUNG_MAX_MB,
    },
  });
  // While it is being ended there is no other listener, and an unheard error would end the process.
  thread.on('error', () => undefined);
  try {
    const planned = await plan(await nextReply<CalendarDigest>(thread, signal));
    if (!planned.query) {
      return { plan: planned, busy: undefined };
    }
    thread.postMessage(planned.query, []);
    return { plan: planned, busy: await nextReply<BusyTimes>(thread, signal) };
  } finally {
    await thread.terminate();
  }
}

/** Passed to the thread without a copy, which takes 20 ms for 5 MB. Parts of a buffer are copied. */
const wholeBufferOf = (text: CalendarText): ArrayBuffer[] =>
  typeof text !== 'string' &&
  text.buffer instanceof ArrayBuffer &&
  text.buffer.byteLength === text.byteLength
    ? [text.buffer]
    : [];

async function nextReply<T>(thread: Worker, signal: AbortSignal): Promise<T> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(TIME_MAX_MS)]);
  const [reply] = (await once(thread, 'message', { signal: late }).catch(refuse)) as [T];
  return reply;
}

function refuse(error: unknown): never {
  const why = isLate(error)
    ? 'it takes too long to read'
    : `it cannot be read: ${(error as Error).message}`;
  throw new UnreadableCalendar(why, { cause: error });
}

const isLate = (error: unknown): boolean =>
  ['AbortError', 'TimeoutError'].includes((error as Error).name);
