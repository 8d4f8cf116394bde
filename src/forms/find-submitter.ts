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
 * Returns the contact of a submission: the one with the email, whose empty fields are filled in, or a
 * new one. `contactId` is null if the submission has neither a name nor an address.
 */
export async function findSubmitter(work: Work, fields: ContactPatch): Promise<Submitter> {
  const known = fields.email && (await lockContactByEmail(work, fields.email, 'update'));
  if (known) {
    const contact = await lockContact(work, known.contactId);
    await changeContact(work, contact, patchFor(contact, fields));
    return { contactId: known.contactId, tags: contact.tags };
  }
  const hasIdentity = fields.email ?? fields.phone ?? fields.firstName ?? fields.lastName;
  return hasIdentity ? createSubmitter(work, fields) : { contactId: null, tags: [] };
}

/**
 * Returns the patch of a known contact. Visitors can type anyone's email, so a submission fills empty
 * fields and adds tags, but never changes values or addresses: with their own address on the contact,
 * visitors could impersonate it. Tags beyond the limit are left out, because the visitor cannot fix
 * that; the submission itself is stored in full.
 */
function patchFor(contact: Contact, fields: ContactPatch): ContactPatch {
  const { tags, customFields, dnd } = fields;
  const empty = WRITABLE_FIELDS.filter(
    (field) => Object.hasOwn(fields, field) && !ADDRESSES.has(field) && isEmpty(contact[field]),
  );
  return {
    ...Object.fromEntries(empty.map((field) => [field, fields[field]])),
    ...(tags && { tags: withRoomFor(contact.tags, tags) }),
    ...(customFields && { customFields: missingMembers(contact.customFields, customFields) }),
    ...(dnd && { dnd: missingMembers(contact.dnd, dnd) }),
  };
}

const ADDRESSES: ReadonlySet<keyof ContactPatch> = new Set([
  'email',
  'phone',
  'additionalEmails',
  'additionalPhones',
]);

const missingMembers = (stored: object, added: object): Record<string, any> =>
  Object.fromEntries(Object.entries(added).filter(([name]) => !Object.hasOwn(stored, name)));

async function createSubmitter(work: Work, fields: ContactPatch): Promise<Submitter> {
  const { email, phone, additionalEmails = [], additionalPhones = [], tags = [] } = fields;
  return createMinimalContact(work, {
    source: 'form',
    address: email ?? phone,
    ...fields,
    tags: withRoomFor([], tags),
    additionalEmails: (await unclaimed(work, additionalEmails)).slice(0, ADDRESSES_MAX),
    additionalPhones: additionalPhones.slice(0, ADDRESSES_MAX),
  });
}

/** Leaves out emails of other contacts, silently: a refusal would reveal that they exist. */
async function unclaimed(work: Work, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) {
    return [];
  }
  const values = [work.subAccountId, emails.map(normalised)];
  const taken = await work.rows<{ email: string }>(TAKEN, values);
  return emails.filter((one) => !taken.some(({ email }) => email === normalised(one)));
}

const TAKEN = `select email from contact_emails
  where sub_account_id = $1 and email = any($2::text[])`;
