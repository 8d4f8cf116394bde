import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { normalised } from '../../contacts/rows/addresses.ts';
import { insertContacts } from '../../contacts/rows/insert-contacts.ts';
import { newContact } from '../../contacts/rows/new-contact.ts';
import type { Customer } from './appointment.schema.ts';

/** As an appointment shows its contact. */
interface CustomerView {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

interface KnownContact extends CustomerView {
  readonly id: string;
  readonly tags: readonly string[];
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
  const [known] = await work.readOutside<KnownContact>(KNOWN, [
    work.subAccountId,
    normalised(email),
  ]);
  if (known) {
    const { id: contactId, tags, ...shown } = known;
    return { contactId, tags, shown, wasThere: true };
  }
  const input = { firstName, lastName, email, phone, source: 'booking' };
  const contact = newContact(work, [], newId(work.now), input);
  await insertContacts(work, [contact]);
  work.retryOn('contact_emails_pkey');
  const shown = { firstName, lastName, email, phone };
  return { contactId: contact.id, tags: contact.tags, shown, wasThere: false };
}

const KNOWN = `select c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
    c.tags
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and c.deleted_at is null`;
