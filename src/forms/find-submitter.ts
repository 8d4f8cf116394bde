import type { Work } from '#core/work.ts';
import { createMinimalContact } from '../contacts/create-minimal-contact.ts';
import { lockContactByEmail } from '../contacts/find-by-email.ts';
import { normalised } from '../contacts/addresses.ts';
import { isEmpty } from '../contacts/contact-change.ts';
import type { Contact } from '../contacts/contact.entity.ts';
import { ADDRESSES_MAX, WRITABLE_FIELDS, type ContactPatch } from '../contacts/contact.schema.ts';
import { withRoomFor } from '../contacts/contact-lists.ts';
import { lockContact } from '../contacts/contact.store.ts';
import { changeContact } from '../contacts/update-contact.ts';

export interface Submitter {
  readonly contactId: string | null;
  readonly tags: readonly string[];
}

/**
 * The contact of a submission: whoever has the email, with some of his empty fields filled in, else a new
 * one. Nobody, where neither name nor address was asked for or given.
 */
export async function findSubmitter(work: Work, said: ContactPatch): Promise<Submitter> {
  const known = said.email && (await lockContactByEmail(work, said.email, 'update'));
  if (known) {
    const contact = await lockContact(work, known.contactId);
    await changeContact(work, contact, filling(contact, said));
    return { contactId: known.contactId, tags: contact.tags };
  }
  const isSomebody = said.email ?? said.phone ?? said.firstName ?? said.lastName;
  return isSomebody ? addSubmitter(work, said) : { contactId: null, tags: [] };
}

/**
 * Anybody can type somebody's email: he fills in what is empty, and adds tags that the form gives.
 * What stands there he does not change, nor by what address or number the contact is known: with
 * his own among them he would be taken for him. Tags that a contact has no room for are left out: the
 * visitor can do nothing about them, and the submission has what was said.
 */
function filling(contact: Contact, said: ContactPatch): ContactPatch {
  const { tags, customFields, dnd } = said;
  const empty = WRITABLE_FIELDS.filter(
    (field) => Object.hasOwn(said, field) && !ADDRESSES.has(field) && isEmpty(contact[field]),
  );
  return {
    ...Object.fromEntries(empty.map((field) => [field, said[field]])),
    ...(tags && { tags: withRoomFor(contact.tags, tags) }),
    ...(customFields && { customFields: lacking(contact.customFields, customFields) }),
    ...(dnd && { dnd: lacking(contact.dnd, dnd) }),
  };
}

const ADDRESSES: ReadonlySet<keyof ContactPatch> = new Set([
  'email',
  'phone',
  'additionalEmails',
  'additionalPhones',
]);

const lacking = (there: object, said: object): Record<string, any> =>
  Object.fromEntries(Object.entries(said).filter(([name]) => !Object.hasOwn(there, name)));

async function addSubmitter(work: Work, said: ContactPatch): Promise<Submitter> {
  const { email, phone, additionalEmails = [], additionalPhones = [], tags = [] } = said;
  return createMinimalContact(work, {
    source: 'form',
    address: email ?? phone,
    ...said,
    tags: withRoomFor([], tags),
    additionalEmails: (await untaken(work, additionalEmails)).slice(0, ADDRESSES_MAX),
    additionalPhones: additionalPhones.slice(0, ADDRESSES_MAX),
  });
}

/** An email of somebody else stays his, and nobody is told that he has it. */
async function untaken(work: Work, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) {
    return [];
  }
  const values = [work.subAccountId, emails.map(normalised)];
  const taken = await work.rows<{ email: string }>(TAKEN, values);
  return emails.filter((one) => !taken.some(({ email }) => email === normalised(one)));
}

const TAKEN = `select email from contact_emails
  where sub_account_id = $1 and email = any($2::text[])`;
