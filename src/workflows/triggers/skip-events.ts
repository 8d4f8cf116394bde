import type { Log } from '#core/tools.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { FIRST } from '../definition/places.ts';

/** The workflows for which an event is skipped, with the error of each. */
export type Skips = ReadonlyMap<string, unknown>;

/** An event cannot be handled for this workflow; the error is the `cause`. */
export class WorkflowFailure extends Error {
  override readonly name = 'WorkflowFailure';
  readonly workflowId: string;

  constructor(workflowId: string, cause: unknown) {
    super('an event cannot be handled for a workflow', { cause });
    this.workflowId = workflowId;
  }
}

interface SkipInput {
  readonly workflowId: string;
  readonly error: unknown;
  readonly events: readonly { readonly name: string; readonly position: number }[];
  readonly log: Log;
}

/**
 * Stores a failed run for each event that is skipped for a workflow: lists, `doctor` and metrics show
 * it. It has neither contact nor data, which may be what failed.
 */
export async function recordSkips(
  work: Work,
  { workflowId, error, events, log }: SkipInput,
): Promise<void> {
  const { subAccountId, now } = work;
  const reason = error instanceof Error ? error.message : String(error);
  for (const { name, position } of events) {
    log.warn({ err: error, subAccountId, workflowId, event: name, position }, 'event skipped');
    const values = [subAccountId, newId(now), workflowId, name, position, FIRST, now];
    await work.rows(INSERT, [...values, `event skipped: ${textOf(reason)}`]);
  }
}

const REASON_MAX = 500;

/** Returns the text without NUL, which PostgreSQL refuses. */
const textOf = (reason: string): string => reason.slice(0, REASON_MAX).replaceAll('\0', '');

const INSERT = `insert into workflow_runs (sub_account_id, id, workflow_id, version_id, status,
    beside_others, trigger, data, since_position, depth, place, error, created_at, updated_at,
    finished_at)
  select $1, $2, $3, v.id, 'failed', true, $4, '{}', $5, 0, $6, $8, $7, $7, $7
  from workflow_versions v where v.sub_account_id = $1 and v.workflow_id = $3
  order by v.id desc limit 1`;
