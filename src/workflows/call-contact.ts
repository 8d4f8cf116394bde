import { invalidField, notFound } from '#kit/fault.ts';
import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import { normalised } from '../contacts/addresses.ts';
import { insertContacts } from '../contacts/insert-contacts.ts';
import { newContact } from '../contacts/new-contact.ts';
import type { TriggerBody } from './workflow.shape.ts';

const NAME_MAX = 200;
/** Every contact has a last name; what was not said is a dash. */
const UNSAID = '–';

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
  if (contactId !== undefined) {
    return { id: await requireContact(work, contactId), isNew: false };
  }
  if (email === undefined) {
    throw invalidField('', 'needs contactId or email');
  }
  const [known] = await work.rows<{ id: string }>(BY_EMAIL, [work.subAccountId, normalised(email)]);
  if (known) {
    return { id: known.id, isNew: false };
  }
  if (!mayCreate) {
    throw notFound('contact');
  }
  const named = { firstName: email.slice(0, NAME_MAX), lastName: UNSAID };
  // What custom fields require, nobody has been asked.
  const contact = newContact(work, [], newId(work.now), { ...named, email, source: 'workflow' });
  await insertContacts(work, [contact]);
  work.again('contact_emails_pkey');
  return { id: contact.id, isNew: true };
}

export async function requireContact(work: Work, id: string): Promise<string> {
  const [found] = await work.rows<{ id: string }>(BY_ID, [work.subAccountId, id]);
  if (!found) {
    throw notFound('contact');
  }
  return found.id;
}

const BY_ID = `select id from contacts
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;

const BY_EMAIL = `select c.id
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and c.deleted_at is null
  for key share of c`;
