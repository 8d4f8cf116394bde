import type { PrepareContext } from '#core/endpoint/route.ts';
import { newId } from '#lib/id.ts';
import type { View, Work } from '#core/work.ts';
import { importContactsJob } from './imports.jobs.ts';

interface UploadInput {
  readonly parts: AsyncIterable<Buffer>;
  /** The key of a static list. */
  readonly list: string | undefined;
  readonly dryRun: boolean;
  readonly columns: readonly string[] | undefined;
}

/**
 * Stores a file part by part and queues its import. Returns the import's id. A file that is broken off
 * stays `uploading`, which nothing shows, and is deleted.
 */
export async function uploadImport(
  view: View,
  change: PrepareContext['change'],
  { parts, list, dryRun, columns }: UploadInput,
): Promise<string> {
  const { subAccountId } = view;
  const importId = newId(view.now);
  await change(async (work) => {
    const { actor, now } = work;
    const values = [subAccountId, importId, list ?? null, dryRun, columns ?? null];
    work.write(BEGIN, [...values, actor.name, actor.requestId, now]);
  });
  try {
    let position = 0;
    for await (const part of parts) {
      const values = [subAccountId, importId, position, part];
      await change(async (work) => work.write(ADD_PART, values));
      position += 1;
    }
  } catch (error) {
    await change(async (work) => work.write(DISCARD, [subAccountId, importId]));
    throw error;
  }
  await change(async (work: Work) => {
    work.write(RUN, [subAccountId, importId, work.now]);
    work.enqueue(importContactsJob, { subAccountId, importId });
    if (!dryRun) {
      work.audit(importId);
    }
  });
  return importId;
}

const BEGIN = `insert into contact_imports
    (sub_account_id, id, status, list, dry_run, columns, started_by, request_id, processed, total,
     created_at, updated_at)
  values ($1, $2, 'uploading', $3, $4, $5, $6, $7, 0, 0, $8, $8)`;
const ADD_PART = `insert into contact_import_parts (sub_account_id, import_id, position, content)
  values ($1, $2, $3, $4)`;
const DISCARD = 'delete from contact_imports where sub_account_id = $1 and id = $2';
const RUN = `update contact_imports set status = 'running', updated_at = $3
  where sub_account_id = $1 and id = $2`;
