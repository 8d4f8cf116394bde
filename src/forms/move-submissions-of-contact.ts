import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** Moves the submissions of a merged contact to the kept one. */
export async function moveSubmissionsOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  work.write(MOVE, [work.subAccountId, data.mergedContactId, contactId]);
}

const MOVE = `update form_submissions set contact_id = $3
  where sub_account_id = $1 and contact_id = $2`;
