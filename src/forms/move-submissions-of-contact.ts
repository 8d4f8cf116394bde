import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** What a contact submitted, who became part of another, is the other's from then on. */
export async function moveSubmissionsOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  work.write(MOVE, [work.subAccountId, data.mergedContactId, contactId]);
}

const MOVE = `update form_submissions set contact_id = $3
  where sub_account_id = $1 and contact_id = $2`;
