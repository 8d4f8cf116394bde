import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** What a contact paid, who became part of another, is the other's from then on. */
export async function moveInvoicesOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  work.write(MOVE, [work.subAccountId, data.mergedContactId, contactId]);
}

const MOVE = `update paid_invoices set contact_id = $3
  where sub_account_id = $1 and contact_id = $2`;
