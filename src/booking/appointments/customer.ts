import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { findContactByEmail } from '../../contacts/find-by-email.ts';
import { insertContacts } from '../../contacts/write-contacts.ts';
import { newContact } from '../../contacts/new-contact.ts';
import type { Customer } from './appointment.schema.ts';

/** As an appointment shows its contact. */
interface CustomerView {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Whom an appointment is for. */
export interface Booker {
  readonly contactId: string;
  readonly tags: readonly string[];
  readonly shown: CustomerView;
  /** He was there before, and may be deleted or merged until the booking is written. */
  readonly wasThere: boolean;
}

/**
 * The contact who has the email, as he is: whoever knows an email may book with it, and changes
 * nothing of him. Else a new one; what custom fields require, nobody has asked him.
 */
export async function bookerOf(
  work: Work,
  { firstName, lastName, email, phone = null }: Customer,
): Promise<Booker> {
  const reader = { subAccountId: work.subAccountId, rows: work.readOutside };
  const known = await findContactByEmail(reader, email);
  if (known) {
    const { id: contactId, tags, company: _, ...shown } = known;
    return { contactId, tags, shown, wasThere: true };
  }
  const input = { firstName, lastName, email, phone, source: 'booking' };
  const contact = newContact(work, [], newId(work.now), input);
  await insertContacts(work, [contact]);
  work.retryOn('contact_emails_pkey');
  const shown = { firstName, lastName, email, phone };
  return { contactId: contact.id, tags: contact.tags, shown, wasThere: false };
}
