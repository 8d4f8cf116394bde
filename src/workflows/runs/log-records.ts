import type { View } from '#core/work.ts';
import { isId } from '#lib/id.ts';
import type { LogRow } from './find-runs.ts';

/** What a step of a run wrote. */
interface LogRecord {
  readonly type: 'message' | 'opportunity' | 'task';
  readonly id: string;
  /** The conversation of a message, or the pipeline of an opportunity. */
  readonly withinId: string | null;
}

/** Steps whose detail in the log is the id of what they wrote. */
const WRITING = new Set(['send', 'createTask', 'createOpportunity', 'moveStage']);

/** Returns the log with the records that its steps wrote and that still exist. */
export async function withRecords(
  view: View,
  log: readonly LogRow[],
): Promise<(LogRow & { readonly record: LogRecord | null })[]> {
  const idOf = ({ step, detail }: LogRow) =>
    WRITING.has(step) && detail !== null && isId(detail) ? detail : undefined;
  const ids = log.flatMap((row) => idOf(row) ?? []);
  const found = ids.length > 0 ? await view.rows<LogRecord>(RECORDS, [view.subAccountId, ids]) : [];
  const records = new Map(found.map((record) => [record.id, record]));
  return log.map((row) => ({ ...row, record: records.get(idOf(row) ?? '') ?? null }));
}

const RECORDS = `select 'message' as type, id, conversation_id as "withinId" from messages
    where sub_account_id = $1 and id = any ($2::uuid[])
  union all
  select 'opportunity', id, pipeline_id from opportunities
    where sub_account_id = $1 and id = any ($2::uuid[]) and deleted_at is null
  union all
  select 'task', id, null from tasks
    where sub_account_id = $1 and id = any ($2::uuid[]) and deleted_at is null`;
