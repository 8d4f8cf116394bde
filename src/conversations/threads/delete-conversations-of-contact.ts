import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** The conversations of a contact that is deleted go with it; their messages are kept. */
export async function deleteConversationsOfContact(
  work: Work,
  { contactId }: Occurrence<object>,
): Promise<void> {
  work.write(DELETE, [work.subAccountId, contactId, work.now]);
}

const DELETE = `update conversations set deleted_at = $3, updated_at = $3
  where sub_account_id = $1 and contact_id = $2 and deleted_at is null`;
