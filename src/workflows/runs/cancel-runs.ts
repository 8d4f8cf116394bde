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

const CANCEL = (column: string) => `update workflow_runs
  set status = 'cancelled', error = $4, finished_at = $3, updated_at = $3,
    due_at = null, wake_at = null, waiting_for = null
  where sub_account_id = $1 and ${column} = $2 and finished_at is null`;
