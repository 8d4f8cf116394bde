import { Fault } from '#core/fault.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { openGuardedThread, ThreadOverrun } from '#platform/process/guarded-thread.ts';
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

/** Texts up to this size take less time than the start of a thread. */
const INLINE_MAX = 10_000;

/** 500,000 characters of nothing but quotes take 6 s. */
const DEADLINE_MS = 20 * SECOND_MS;

const PARSERS = 3;
/** Calls of a sub-account at a time: each keeps a connection to the database. */
const CALLS_MAX = 3;

const openParser = () =>
  openGuardedThread<SourceToParse, ParsedSource>({
    file: new URL('./source-thread.ts', import.meta.url),
    deadlineMs: DEADLINE_MS,
    memoryMaxMb: 512,
    idleMs: MINUTE_MS / 2,
  });

/** A sub-account uses one thread at a time. */
const gate = openGate<string>({ shares: openShares(PARSERS, 2) });
const callsOf = new Map<string, number>();
const idle = Array.from({ length: PARSERS }, openParser);

/**
 * Parses a text without blocking the thread of the caller for long. Throws a Fault if that takes too
 * long, or if the sub-account has others parsed already.
 */
export async function readSourceSafely(subAccountId: string, text: string): Promise<ReadSource> {
  if (text.length <= INLINE_MAX) {
    return readSource(text);
  }
  const parse = (paths: readonly string[]) => parseInThread(subAccountId, { text, paths });
  const { value, errors } = await parse([]);
  return { value, errors, placesOf: async (paths) => (await parse(paths)).places };
}

async function parseInThread(subAccountId: string, source: SourceToParse): Promise<ParsedSource> {
  const calls = callsOf.get(subAccountId) ?? 0;
  if (calls >= CALLS_MAX) {
    const why = 'other manifests of this sub-account are being read; try again in a moment';
    throw new Fault('SERVICE_UNAVAILABLE', why, { reason: 'manifest_busy' });
  }
  callsOf.set(subAccountId, calls + 1);
  try {
    return await gate.run(subAccountId, () => parseNow(source));
  } catch (error) {
    throw error instanceof ThreadOverrun ? tooSlow() : error;
  } finally {
    const left = (callsOf.get(subAccountId) ?? 1) - 1;
    if (left > 0) {
      callsOf.set(subAccountId, left);
    } else {
      callsOf.delete(subAccountId);
    }
  }
}

async function parseNow(source: SourceToParse): Promise<ParsedSource> {
  // The parser that was used last still has its thread. Never undefined: the gate admits no more calls.
  const parser = idle.pop() ?? openParser();
  try {
    return await parser.run(source);
  } finally {
    idle.push(parser);
  }
}

const tooSlow = () =>
  new Fault(
    'VALIDATION_ERROR',
    'the manifest takes too long to parse: apply its sections one after the other',
  );
