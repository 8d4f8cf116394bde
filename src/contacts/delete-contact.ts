import type { Work } from '#core/work.ts';
import { emailKeysOf, releaseEmails } from './claim-addresses.ts';
import { contactDeleted } from './contact.events.ts';
import { lockContact } from './contact.store.ts';

/** Soft-deletes a contact and frees its emails. Other slices react to the event. */
export async function deleteContact(work: Work, id: string): Promise<void> {
  const contact = await lockContact(work, id);
  contact.deletedAt = work.now;
  contact.updatedAt = work.now;
  releaseEmails(work, id, emailKeysOf(contact));
  work.audit(id);
  await work.emit(contactDeleted, { contactId: id, data: {} });
}
