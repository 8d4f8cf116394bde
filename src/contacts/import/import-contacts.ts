import { newId } from '#lib/id.ts';
import { Fault } from '#core/fault.ts';
import type { Actor, Transact, View, Work } from '#core/work.ts';
import { checkCsv, readCsv, type CsvRow } from '#platform/files/csv.ts';
import type { SourceFile } from '#platform/files/source-file.ts';
import { allUnknown, keysOf } from './find-import-targets.ts';
import { readHeader, type ContactColumn } from './csv-columns.ts';
import { regionOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { customFieldDefinitions } from '../fields/custom-field.ts';
import {
  importRows,
  messageOf,
  type ImportedRows,
  type ImportSettings,
  type Settled,
} from './import-rows.ts';
import { localFormats } from './local-formats.ts';
import { parseContactRow, type ContactRow, type RefusedRow } from './parse-contact-row.ts';

export interface ImportResult {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  /** By line; at most the first 10,000. */
  readonly errors: readonly RefusedRow[];
}

export interface ImportDeps {
  readonly transact: Transact;
  readonly actor: Actor;
  readonly view: View;
  /** Runs at the start of every Work, with the rows that it is about to import. */
  readonly prepare?: (work: Work, rows: readonly ContactRow[]) => Promise<void>;
  /** Called with the ids of the imported contacts, in the Work that imports them. */
  readonly onContacts?: ImportSettings['onContacts'];
  /** The contact's member of each column, `''` to leave it out; without it, the first line names them. */
  readonly columns?: readonly string[] | undefined;
  /** The id of the contact that a line creates; a contact that has it already is left alone. */
  readonly idOfLine?: (line: number) => string;
  /** Without them, a repeated run applies all rows again. */
  readonly checkpoints?: ImportCheckpoints;
  /** Called after each batch; `share` is the part of the file that was read, from 0 to 1. */
  readonly onProgress?: (rows: number, share: number, total: number) => void;
  /** Ends the import after the running batches: it throws the reason. */
  readonly signal?: AbortSignal;
}

/** What the transactions of an import have committed, so that a repeated run does the rest only. */
export interface ImportCheckpoints {
  /** Returns the results that earlier runs recorded of the next lines of the file. */
  readonly resultsOf: (lines: readonly number[]) => Promise<readonly Settled[]>;
  /** Records results in the Work that imports the rows. */
  readonly record: (work: Work, results: readonly Settled[]) => void;
}

type ParsedRow = ContactRow | RefusedRow;

/** Rows per transaction. */
const BATCH_ROWS = 500;
/** Batches that are written concurrently, each on its own connection. */
const CONCURRENCY = 3;

/**
 * Creates and updates contacts from a CSV. Throws before anything is written if the file cannot be
 * parsed. Rows are committed in batches: after a crash the import can be run again. It continues after
 * its checkpoints; without them it finds the contacts by their emails.
 */
export async function importContacts(deps: ImportDeps, source: SourceFile): Promise<ImportResult> {
  const definitions = await deps.view.cached(customFieldDefinitions);
  const formats = localFormats(await regionOfSubAccount(deps.view));
  let columns: readonly (ContactColumn | undefined)[] = [];
  const file = await checkCsv(source, (header) => {
    columns = readHeader(definitions, header, deps.columns);
  });
  const { onContacts, idOfLine } = deps;
  const importId = newId(deps.view.now);
  const settings = { importId, definitions, idOfLine, ...(onContacts && { onContacts }) };
  const counter = newCounter();
  const pipeline = openBatches<readonly Settled[]>(CONCURRENCY);
  let rows = 0;
  try {
    for await (const { batch, share } of batches(readCsv(file))) {
      deps.signal?.throwIfAborted();
      // These rows are checked while earlier ones are written.
      const { done, left } = await separateDone(deps, batch);
      const parsed = left.map((row): ParsedRow => parseContactRow(columns, row, formats));
      const sound = parsed.filter((row) => 'fields' in row);
      const keys = sound.flatMap(keysOf);
      await pipeline.add({
        keys,
        isApart: !deps.prepare && pipeline.lacks(keys) && (await allUnknown(deps.view, sound)),
        act: () => importBatch(deps, settings, sound),
        settle(settled) {
          inFileOrder([...done, ...settled], parsed).forEach(counter.count);
          rows += batch.length;
          deps.onProgress?.(rows, share, file.rows);
        },
      });
    }
    await pipeline.drain();
  } finally {
    await pipeline.ended();
  }
  return counter.result();
}

/** Separates the results of rows that an earlier run has finished from the other rows. */
async function separateDone({ checkpoints }: ImportDeps, batch: readonly CsvRow[]) {
  const done = (await checkpoints?.resultsOf(batch.map(({ line }) => line))) ?? [];
  const doneLines = new Set(done.map(({ line }) => line));
  return { done, left: batch.filter(({ line }) => !doneLines.has(line)) };
}

/** Returns the results of a batch in file order, including rows that could not be parsed. */
function inFileOrder(settled: readonly Settled[], parsed: readonly ParsedRow[]): Settled[] {
  const refused = parsed.filter((row) => 'message' in row);
  return [...settled, ...refused.map((row) => ({ ...row, as: 'failed' as const }))].sort(
    (a, b) => a.line - b.line,
  );
}

async function* batches(rows: AsyncIterable<CsvRow>) {
  let batch: CsvRow[] = [];
  let share = 0;
  for await (const row of rows) {
    batch.push(row);
    ({ share } = row);
    if (batch.length === BATCH_ROWS) {
      yield { batch, share };
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield { batch, share };
  }
}

/** Imports the rows: first all that can be written together, then those that depend on them. */
async function importBatch(
  deps: ImportDeps,
  settings: ImportSettings,
  rows: readonly ContactRow[],
): Promise<readonly Settled[]> {
  const [only] = rows;
  if (!only) {
    return [];
  }
  const imported = await importTogether(deps, settings, rows);
  if (imported instanceof Fault) {
    return rows.length === 1
      ? [{ line: only.line, as: 'failed', message: messageOf(imported) }]
      : importHalves(deps, settings, rows);
  }
  const settled = [...imported.settled];
  for (const row of imported.alone) {
    settled.push(...(await importBatch(deps, settings, [row])));
  }
  return [...settled, ...(await importBatch(deps, settings, imported.later))];
}

/** Retries in halves: each sees the latest data, and in the end only the rows at fault fail. */
async function importHalves(
  deps: ImportDeps,
  settings: ImportSettings,
  rows: readonly ContactRow[],
): Promise<readonly Settled[]> {
  const middle = rows.length >> 1;
  return [
    ...(await importBatch(deps, settings, rows.slice(0, middle))),
    ...(await importBatch(deps, settings, rows.slice(middle))),
  ];
}

/** Imports rows in one Work. Returns a Fault if the whole Work was refused: nothing was written. */
async function importTogether(
  { transact, actor, view, prepare, checkpoints }: ImportDeps,
  settings: ImportSettings,
  rows: readonly ContactRow[],
): Promise<ImportedRows | Fault> {
  try {
    return await transact(view.subAccountId, actor, async (work) => {
      await prepare?.(work, rows);
      const imported = await importRows(work, rows, settings);
      if (imported.settled.length > 0) {
        checkpoints?.record(work, imported.settled);
      }
      return imported;
    });
  } catch (error) {
    if (error instanceof Fault) {
      return error;
    }
    throw error;
  }
}

/** Bounds the memory for a file in which every row fails. */
const ERRORS_MAX = 10_000;

function newCounter() {
  const counts = { created: 0, updated: 0, skipped: 0, failed: 0 };
  const errors: RefusedRow[] = [];
  return {
    count({ line, as, message = '' }: Settled) {
      counts[as] += 1;
      if (as === 'failed' && errors.length < ERRORS_MAX) {
        errors.push({ line, message });
      }
    },
    result: (): ImportResult => ({ ...counts, errors }),
  };
}

interface Batch<T> {
  /** The addresses that the batch is about. */
  readonly keys: readonly string[];
  /** Whether it may run concurrently with earlier batches; otherwise it waits for all of them. */
  readonly isApart: boolean;
  readonly act: () => Promise<T>;
  /** Receives the result, in the order of the batches. */
  readonly settle: (done: T) => void;
}

interface RunningBatch {
  readonly keys: ReadonlySet<string>;
  readonly acting: Promise<unknown>;
  readonly settled: Promise<void>;
}

/** Runs batches of a file concurrently, `concurrency` at most and only about different addresses. */
function openBatches<T>(concurrency: number) {
  const running: RunningBatch[] = [];
  const downTo = async (count: number) => {
    while (running.length > count) {
      await running[0]?.settled;
      running.shift();
    }
  };
  return {
    /** Whether no running batch is about any of these keys. */
    lacks: (keys: readonly string[]): boolean =>
      !running.some((batch) => keys.some((key) => batch.keys.has(key))),
    /** Starts a batch once there is room. Rejects if an earlier batch failed. */
    async add({ keys, isApart, act, settle }: Batch<T>): Promise<void> {
      await downTo(isApart ? concurrency - 1 : 0);
      const acting = act();
      const settled = settleAfter(running.at(-1)?.settled, acting, settle);
      // `add` and `drain` report a failure; until then it must not count as unhandled.
      settled.catch(() => undefined);
      running.push({ keys: new Set(keys), acting, settled });
    },
    drain: (): Promise<void> => downTo(0),
    /** Resolves once no batch writes any more, also after a failure. */
    async ended(): Promise<void> {
      await Promise.allSettled(running.map(({ acting }) => acting));
    },
  };
}

async function settleAfter<T>(
  before: Promise<void> | undefined,
  acting: Promise<T>,
  settle: (done: T) => void,
): Promise<void> {
  const [done] = await Promise.all([acting, before]);
  settle(done);
}
