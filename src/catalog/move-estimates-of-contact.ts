import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** Moves the quotes of a merged contact to the kept one. */
export async function moveEstimatesOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  work.write(MOVE, [work.subAccountId, data.mergedContactId, contactId, work.now]);
}

const MOVE = `update estimates set contact_id = $3, updated_at = $4
  where sub_account_id = $1 and contact_id = $2`;
