import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { findContactByEmail } from '../../contacts/find-by-email.ts';
import { newContact } from '../../contacts/new-contact.ts';
import { insertContacts } from '../../contacts/write-contacts.ts';
import type { CustomerInput } from './appointment.schema.ts';

/** The contact as an appointment shows it. */
interface ShownContact {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The contact that an appointment is booked for. */
export interface Customer {
  readonly contactId: string;
  readonly tags: readonly string[];
  readonly shown: ShownContact;
  /** True if the contact existed before: it may be deleted or merged until the booking is written. */
  readonly existed: boolean;
}

/**
 * Returns the contact with this email, unchanged: anyone who knows an email may book with it, and
 * must not be able to edit the contact. Without one it creates a contact; required custom fields are
 * not checked, because the customer was not asked for them.
 */
export async function findOrCreateCustomer(
  work: Work,
  { firstName, lastName, email, phone = null }: CustomerInput,
): Promise<Customer> {
  const reader = { subAccountId: work.subAccountId, rows: work.readOutside };
  const known = await findContactByEmail(reader, email);
  if (known) {
    const { id: contactId, tags, company: _, ...shown } = known;
    return { contactId, tags, shown, existed: true };
  }
  const input = { firstName, lastName, email, phone, source: 'booking' };
  const contact = newContact(work, [], newId(work.now), input);
  await insertContacts(work, [contact]);
  work.retryOn('contact_emails_pkey');
  const shown = { firstName, lastName, email, phone };
  return { contactId: contact.id, tags: contact.tags, shown, existed: false };
}
