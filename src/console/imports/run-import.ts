import type { FileHandle } from 'node:fs/promises';
import { Fault } from '#core/fault.ts';
import { handle, type JobContext } from '#core/job.ts';
import type { Actor, Transact, View, Work } from '#core/work.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { uuidFromBytes } from '#lib/id.ts';
import { openUnnamedFile } from '#platform/files/source-file.ts';
import { DEATHS_MAX } from '#platform/queue/give-up.ts';
import { endsJob, requireAccess } from '../../accounts/users/require-access.ts';
import { joining } from '../../campaigns/lists/add-to-list.ts';
import { copyContacts, DRY_RUN } from '../../contacts/import/dry-run-import.ts';
import { importContacts, type ImportResult } from '../../contacts/import/import-contacts.ts';
import { openCheckpoints } from './import-checkpoints.ts';
import { importContactsJob, importers } from './imports.jobs.ts';
import { createHash } from 'node:crypto';

/** An import that was interrupted this often is given up: the file may be the cause. */
const ATTEMPTS_MAX = 5;

interface ImportRow {
  readonly list: string | null;
  readonly dryRun: boolean;
  readonly columns: readonly string[] | null;
  readonly startedBy: string;
  readonly requestId: string;
}

/**
 * Imports the file and stores the result. Each transaction commits with its results, so that an interrupted
 * job continues there and imports no row twice. A dry run begins again.
 */
export const handleImportContacts = handle(
  importContactsJob,
  async (payload, context) => {
    const { subAccountId, importId } = payload;
    const { openView, clock, attempt, signal } = context;
    const view = openView(subAccountId, clock());
    const [row] = await view.rows<ImportRow>(LOAD, [subAccountId, importId]);
    if (!row) {
      return;
    }
    if (attempt > ATTEMPTS_MAX) {
      return failImport(payload, context, interrupted(ATTEMPTS_MAX));
    }
    try {
      await endImport(payload, context, ['done', await runImport(context, view, importId, row)]);
    } catch (error) {
      const isRefused = error instanceof Fault || endsJob(error);
      // Everything else, such as a lost connection or the end of the worker, is tried again.
      if (!isRefused || signal.aborted) {
        throw error;
      }
      await failImport(payload, context, error.message);
    }
  },
  (payload, context) => failImport(payload, context, interrupted(DEATHS_MAX)),
);

const interrupted = (times: number): string => `the import was interrupted ${times} times`;

interface ImportKey {
  readonly subAccountId: string;
  readonly importId: string;
}

const failImport = (key: ImportKey, context: JobContext, error: string): Promise<void> =>
  endImport(key, context, ['failed', null, error]);

async function endImport(
  { subAccountId, importId }: ImportKey,
  { execute }: JobContext,
  [status, result, error]: ['done', ImportResult] | ['failed', null, string],
): Promise<void> {
  const values = [subAccountId, importId, status, result && JSON.stringify(result)];
  await execute(END, [...values, error ?? null]);
  await execute(DELETE_PARTS, [subAccountId, importId]);
  await execute(DELETE_CHECKPOINTS, [subAccountId, importId]);
}

async function runImport(
  context: JobContext,
  view: View,
  importId: string,
  { list, dryRun, columns, startedBy, requestId }: ImportRow,
): Promise<ImportResult> {
  const actor: Actor = { kind: 'user', name: startedBy, requestId, operation: 'imports.create' };
  // Otherwise the file is not read: checking all of it would take a place for long.
  await context.transact(view.subAccountId, actor, mayImport);
  const file = await openUnnamedFile();
  const progress = openProgress(context, view.subAccountId, importId);
  const trial = dryRun ? context.openDryRun(DRY_RUN) : undefined;
  try {
    await writeParts(view, importId, file);
    const onContacts = list === null ? undefined : await joining(view, list);
    const deps = {
      actor,
      view,
      columns: columns ?? undefined,
      onProgress: progress.report,
      signal: context.signal,
    };
    return await importContacts(
      trial
        ? { ...deps, transact: trial.transact, prepare: copyContacts }
        : {
            ...deps,
            transact: whileAllowed(context.transact, importId),
            idOfLine: (line) => idOfLine(importId, line),
            checkpoints: await openCheckpoints(view, importId),
            ...(onContacts && { onContacts }),
          },
      { name: 'the file', handle: file },
    );
  } finally {
    await progress.saved();
    await trial?.close();
    await file.close();
  }
}

const mayImport = (work: Work): Promise<void> => requireAccess(work, work.actor.name, importers);

/**
 * Writes no batch once the sub-account is closed, the user lost the access, or another worker has ended the
 * import.
 */
const whileAllowed =
  (transact: Transact, importId: string): Transact =>
  (subAccountId, actor, act, conclude) =>
    transact(
      subAccountId,
      actor,
      async (work) => {
        await mayImport(work);
        if ((await work.rows(RUNNING, [work.subAccountId, importId])).length === 0) {
          throw new Error('the import has ended');
        }
        return act(work);
      },
      conclude,
    );

/** Writes the stored parts into a file, one at a time. */
async function writeParts(view: View, importId: string, file: FileHandle): Promise<void> {
  for (let position = 0; ; position += 1) {
    const values = [view.subAccountId, importId, position];
    const [part] = await view.rows<{ content: Buffer }>(READ_PART, values);
    if (!part) {
      return;
    }
    await file.writeFile(part.content);
  }
}

/** Stores the progress at most once a second. */
function openProgress({ execute }: JobContext, subAccountId: string, importId: string) {
  let saving = Promise.resolve();
  let savedAt = 0;
  return {
    report(rows: number, _share: number, total: number) {
      if (rows === total || Date.now() - savedAt >= SECOND_MS) {
        savedAt = Date.now();
        saving = saving
          .then(() => execute(PROGRESS, [subAccountId, importId, rows, total]))
          // The next one, or the result, says more.
          .then(ignore, ignore);
      }
    },
    saved: (): Promise<void> => saving,
  };
}

const ignore = (): void => undefined;

const LOAD = `select list, dry_run as "dryRun", columns, started_by as "startedBy",
    request_id as "requestId"
  from contact_imports where sub_account_id = $1 and id = $2 and status = 'running'`;
const RUNNING = `select from contact_imports
  where sub_account_id = $1 and id = $2 and status = 'running'`;
const READ_PART = `select content from contact_import_parts
  where sub_account_id = $1 and import_id = $2 and position = $3`;
const PROGRESS = `update contact_imports set processed = greatest(processed, $3), total = $4,
    updated_at = now()
  where sub_account_id = $1 and id = $2 and status = 'running'`;
const END = `update contact_imports set status = $3, result = $4::jsonb, error = $5,
    processed = case when $3 = 'done' then total else processed end, updated_at = now()
  where sub_account_id = $1 and id = $2`;
const DELETE_PARTS = `delete from contact_import_parts
  where sub_account_id = $1 and import_id = $2`;
const DELETE_CHECKPOINTS = `delete from contact_import_checkpoints
  where sub_account_id = $1 and import_id = $2`;

const LINE_BITS = 12n;
const LOW_LINE = 0xfffn;
const VERSION = 7n << 76n;
const VARIANT = 2n << 62n;
const NOISE_MASK = (1n << 50n) - 1n;

/**
 * Returns the id of the contact that a line of an import creates. It has the time of the import's own id
 * and follows the order of the file.
 */
export function idOfLine(importId: string, line: number): string {
  const time = BigInt(`0x${importId.replaceAll('-', '').slice(0, 12)}`) << 80n;
  const digest = createHash('sha256').update(`${importId}/${line}`).digest();
  const noise = digest.readBigUInt64BE(0) & NOISE_MASK;
  const number = BigInt(line);
  const high = ((number >> LINE_BITS) & LOW_LINE) << 64n;
  const low = (number & LOW_LINE) << 50n;
  const hex = (time | VERSION | high | VARIANT | low | noise).toString(16).padStart(32, '0');
  return uuidFromBytes(Buffer.from(hex, 'hex'));
}
