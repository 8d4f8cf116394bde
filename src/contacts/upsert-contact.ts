import type { DeferredData } from '#core/endpoint/reply.ts';
import { check } from '#core/schema/check.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { normalised } from './claim-addresses.ts';
import type { Contact } from './contact.entity.ts';
import {
  contactCreate,
  type ContactCreate,
  type ContactPatch,
  type ContactUpsert,
} from './contact.schema.ts';
import { lockContact, theContact } from './contact.store.ts';
import { createContact } from './create-contact.ts';
import { isEmailOfContact, lockContactByEmail } from './find-by-email.ts';
import { lockContactByPhone } from './find-by-phone.ts';
import { changeContact } from './update-contact.ts';

export interface Upserted {
  readonly created: boolean;
  /** The contact as endpoints show it, once it is written. */
  readonly data: DeferredData | (() => Json);
}

/**
 * Changes the contact with this email, or without an email the contact with this phone, or creates
 * it. Simultaneous calls create one contact.
 */
export async function upsertContact(work: Work, input: ContactUpsert): Promise<Upserted> {
  const id = input.email
    ? await lockOwnerOfEmail(work, input.email)
    : input.phone && (await lockContactByPhone(work, input.phone));
  if (!id) {
    return { created: true, data: (await createContact(work, wholeContact(input))).record };
  }
  const contact = await lockContact(work, id);
  await changeContact(work, contact, patchOf(contact, input), { given: input });
  return { created: false, data: theContact(id) };
}

/** Throws VALIDATION_ERROR for a missing name. */
const wholeContact = (input: ContactUpsert): ContactCreate => check(contactCreate, input, 'body');

/**
 * Returns the contact with this email, locked, or undefined if there is none. Of simultaneous calls
 * in this process one creates it and the others wait; another process breaks the primary key of the
 * emails, and the work runs again. The first look begins no transaction, so that a new contact is
 * still written by one statement (bench scenario `upsert-contact`).
 */
async function lockOwnerOfEmail(work: Work, email: string): Promise<string | undefined> {
  work.retryOn('contact_emails_pkey');
  for (;;) {
    if (await isEmailOfContact(work, email)) {
      return (await lockContactByEmail(work, email, 'update'))?.contactId;
    }
    const other = work.claim(`contact ${work.subAccountId} ${normalised(email)}`);
    if (!other) {
      return undefined;
    }
    await other;
  }
}

/**
 * The given fields as a PATCH; lists are added to. The stored email keeps its spelling, and an
 * additional address stays additional.
 */
function patchOf(contact: Contact, input: ContactUpsert): ContactPatch {
  const { tags, additionalEmails, additionalPhones, ...fields } = input;
  const patch: ContactPatch = { ...fields };
  if (isAmong(input.email, [contact.email ?? '', ...contact.additionalEmails])) {
    delete patch.email;
  }
  if (!input.email && isAmong(input.phone, contact.additionalPhones)) {
    delete patch.phone;
  }
  return {
    ...patch,
    ...(tags && { tags: [...contact.tags, ...tags] }),
    ...(additionalEmails && {
      additionalEmails: [...contact.additionalEmails, ...additionalEmails],
    }),
    ...(additionalPhones && {
      additionalPhones: [...contact.additionalPhones, ...additionalPhones],
    }),
  };
}

const isAmong = (address: string | null | undefined, stored: readonly string[]): boolean =>
  !!address && stored.some((one) => normalised(one) === normalised(address));
