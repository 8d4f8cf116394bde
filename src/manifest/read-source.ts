import { Fault } from '#core/fault.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { TooManyWait } from '#lib/gate.ts';
import { openGuardedThread, ThreadOverrun } from '#platform/process/guarded-thread.ts';
import { shareThreads } from '#platform/process/shared-threads.ts';
import { parseSource, type Place, type Source } from './parse-source.ts';
import type { ParsedSource, SourceToParse } from './source-thread.ts';

/** A parsed text whose positions are looked up later, possibly by a thread. */
export interface ReadSource extends Pick<Source, 'value' | 'errors'> {
  /** Returns the positions of JSON pointers; for a missing value, that of its parent. */
  readonly placesOf: (paths: readonly string[]) => Promise<readonly Place[]>;
}

/** Returns the source of a text whose author may keep the thread busy: that of a command. */
export function readSource(text: string): ReadSource {
  const { value, errors, placeOf } = parseSource(text);
  return { value, errors, placesOf: async (paths) => paths.map((path) => placeOf(path)) };
}

/**
 * Texts up to this size take up to 90 ms. The start of a thread takes 130 ms of processor time, but not of
 * the caller's thread; 10,000 brackets would block that for 200 ms.
 */
const INLINE_MAX = 2_000;

/** 500,000 characters of nothing but quotes take 6 s. */
const DEADLINE_MS = 20 * SECOND_MS;

/** A sub-account uses one thread at a time. Its calls that wait keep a connection to the database each. */
const parseInThread = shareThreads<SourceToParse, ParsedSource>({
  open: () =>
    openGuardedThread({
      file: new URL('./source-thread.ts', import.meta.url),
      deadlineMs: DEADLINE_MS,
      memoryMaxMb: 512,
      idleMs: MINUTE_MS / 2,
    }),
  threads: 3,
  waitingMax: 2,
});

/**
 * Parses a text without blocking the thread of the caller for long. Throws a Fault if that takes too
 * long, or if the sub-account has others parsed already.
 */
export async function readSourceSafely(subAccountId: string, text: string): Promise<ReadSource> {
  if (text.length <= INLINE_MAX) {
    return readSource(text);
  }
  const parse = (paths: readonly string[]) =>
    parseInThread(subAccountId, { text, paths }).catch(refuse);
  const { value, errors } = await parse([]);
  return { value, errors, placesOf: async (paths) => (await parse(paths)).places };
}

function refuse(error: unknown): never {
  if (error instanceof TooManyWait) {
    const why = 'other manifests of this sub-account are being read; try again in a moment';
    throw new Fault('SERVICE_UNAVAILABLE', why, { reason: 'manifest_busy' });
  }
  if (error instanceof ThreadOverrun) {
    const why = 'the manifest takes too long to parse: apply its sections one after the other';
    throw new Fault('VALIDATION_ERROR', why);
  }
  throw error;
}
