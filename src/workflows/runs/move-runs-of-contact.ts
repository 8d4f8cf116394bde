import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/**
 * Moves the runs of a merged contact to the kept one. None is cancelled, so the contact may then have two
 * unfinished runs of the same workflow.
 */
export async function moveRunsOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  work.write(MOVE, [work.subAccountId, data.mergedContactId, contactId, work.now]);
}

const MOVE = `update workflow_runs r
  set contact_id = $3, updated_at = $4, beside_others = r.beside_others or exists (
    select from workflow_runs other
    where other.sub_account_id = $1 and other.contact_id = $3 and other.finished_at is null
      and other.workflow_id = r.workflow_id)
  where r.sub_account_id = $1 and r.contact_id = $2`;
