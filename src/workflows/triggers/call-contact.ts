import { invalidField, notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { createMinimalContact } from '../../contacts/create-minimal-contact.ts';
import { lockCurrentContacts } from '../../contacts/contact.store.ts';
import { lockContactByEmail } from '../../contacts/find-by-email.ts';
import type { TriggerBody } from '../definition/workflow.schema.ts';

interface Called {
  readonly id: string;
  /** He is written when the work is done. */
  readonly isNew: boolean;
}

/**
 * Whom a call is about: by id, else by email. Somebody unknown becomes a contact, of whom only the
 * email is known, unless that is not wanted; then he is NOT_FOUND, as an unknown id is.
 */
export async function contactOfCall(
  work: Work,
  { contactId, email }: TriggerBody,
  mayCreate: boolean,
): Promise<Called> {
  if (contactId) {
    return { id: await requireContact(work, contactId), isNew: false };
  }
  if (!email) {
    throw invalidField('', 'needs contactId or email');
  }
  const known = await lockContactByEmail(work, email, 'key share');
  if (known) {
    return { id: known.contactId, isNew: false };
  }
  if (!mayCreate) {
    throw notFound('contact');
  }
  const stranger = { address: email, email, source: 'workflow' };
  return { id: (await createMinimalContact(work, stranger)).contactId, isNew: true };
}

/** The live contact of an id, also where it was merged into another one since; throws NOT_FOUND. */
export async function requireContact(work: Work, id: string): Promise<string> {
  const current = (await lockCurrentContacts(work, [id])).get(id);
  if (current === undefined) {
    throw notFound('contact');
  }
  return current;
}
