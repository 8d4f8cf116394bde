import type { Occurrence } from '#core/event.ts';
import { notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';

/** Cancels the runs of a deleted contact, without events. */
export async function cancelRunsOfContact(
  work: Work,
  { contactId }: Occurrence<object>,
): Promise<void> {
  const why = 'the contact was deleted';
  work.write(CANCEL('contact_id'), [work.subAccountId, contactId, work.now, why]);
}

/** Cancels the runs of a removed workflow. */
export async function cancelRunsOfWorkflow(work: Work, workflowId: string): Promise<void> {
  const values = [work.subAccountId, workflowId, work.now, 'the workflow was removed'];
  await work.rows(CANCEL('workflow_id'), values);
}

/** Cancels one run by hand. Throws `NOT_FOUND` for a finished or unknown run. */
export async function cancelRun(work: Work, runId: string): Promise<void> {
  const { subAccountId, now, actor } = work;
  const values = [subAccountId, runId, now, `cancelled by ${actor.name}`];
  const ended = await work.rows(`${CANCEL('id')} returning id`, values);
  if (ended.length === 0) {
    throw notFound('unfinished run');
  }
  work.audit(runId);
}

/** The runs to cancel: some by id, or those of a workflow that wait. */
export type RunSelection = { readonly runIds: readonly string[] } | { readonly workflow: string };

interface CancelledRuns {
  readonly cancelled: readonly string[];
  /** Runs that were named and had ended before, or are unknown. */
  readonly notCancelled: readonly string[];
  /** The runs of the workflow that still wait. */
  readonly remaining: number;
}

/** The most runs that one call cancels: they are locked until it commits. */
export const CANCELLED_MAX = 500;

/**
 * Cancels many runs by hand, of a workflow at most `CANCELLED_MAX`, oldest first. Audited once,
 * under the workflow of the first one; each run names who cancelled it.
 */
export async function cancelRuns(work: Work, selection: RunSelection): Promise<CancelledRuns> {
  const { subAccountId, now, actor } = work;
  const isById = 'runIds' in selection;
  const wanted = isById ? [...new Set(selection.runIds)] : selection.workflow;
  const rows = await work.rows<{ readonly id: string; readonly workflowId: string }>(
    LOCK(isById ? BY_ID : WAITING),
    [subAccountId, wanted],
  );
  const cancelled = rows.map(({ id }) => id);
  await work.rows(CANCEL_LOCKED, [subAccountId, cancelled, now, `cancelled by ${actor.name}`]);
  const [first] = rows;
  if (first) {
    work.audit(first.workflowId);
  }
  if (isById) {
    const ended = new Set(cancelled);
    const notCancelled = selection.runIds.filter((id) => !ended.has(id));
    return { cancelled, notCancelled, remaining: 0 };
  }
  const [left] = await work.rows<{ readonly remaining: number }>(COUNT_WAITING, [
    subAccountId,
    selection.workflow,
  ]);
  return { cancelled, notCancelled: [], remaining: left?.remaining ?? 0 };
}

const BY_ID = 'r.id = any($2::uuid[])';
const WAITING = `r.status = 'waiting' and exists (
    select from workflows w
    where w.sub_account_id = r.sub_account_id and w.id = r.workflow_id and w.slug = $2
  )`;

/** In the order of their ids: two people who cancel the same runs wait for each other. */
const LOCK = (condition: string) => `select r.id, r.workflow_id as "workflowId" from workflow_runs r
  where r.sub_account_id = $1 and r.finished_at is null and ${condition}
  order by r.id limit ${CANCELLED_MAX} for update of r`;

const COUNT_WAITING = `select count(*)::int as remaining from workflow_runs r
  where r.sub_account_id = $1 and r.finished_at is null and ${WAITING}`;

const CANCELLED = `update workflow_runs
  set status = 'cancelled', error = $4, finished_at = $3, updated_at = $3,
    due_at = null, wake_at = null, backlogged_at = null, waiting_for = null
  where sub_account_id = $1`;
const CANCEL_LOCKED = `${CANCELLED} and id = any($2::uuid[])`;
const CANCEL = (column: string) => `${CANCELLED} and ${column} = $2 and finished_at is null`;
