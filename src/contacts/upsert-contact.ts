import { Fault } from '#core/fault.ts';
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
import { findContactByEmail, lockContactByEmail } from './find-by-email.ts';
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
    : input.phone && (await lockOwnerOfPhone(work, input.phone));
  if (!id) {
    return { created: true, data: (await createContact(work, wholeContact(input))).record };
  }
  const contact = await lockContact(work, id);
  await changeContact(work, contact, patchOf(contact, input));
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
  const { subAccountId, readOutside: rows } = work;
  for (;;) {
    if (await findContactByEmail({ rows, subAccountId }, email)) {
      return (await lockContactByEmail(work, email, 'update'))?.contactId;
    }
    const other = work.claim(`contact ${subAccountId} ${normalised(email)}`);
    if (!other) {
      return undefined;
    }
    await other;
  }
}

/**
 * Returns the contact with this phone, locked, or undefined if there is none. Nothing keeps two
 * contacts from sharing a phone, hence the advisory lock. Looks twice, like `lockContactByEmail`.
 * Throws for a phone of several contacts.
 */
async function lockOwnerOfPhone(work: Work, phone: string): Promise<string | undefined> {
  const { subAccountId } = work;
  await work.rows(LOCK_PHONE, [`contact ${subAccountId} ${phone}`]);
  const look = () => work.rows<{ id: string }>(BY_PHONE, [subAccountId, phone]);
  await look();
  const contactIds = (await look()).map(({ id }) => id);
  if (contactIds.length > 1) {
    const message = `${contactIds.length} contacts have this phone; send an email, or change one of them by its id`;
    throw new Fault('VALIDATION_ERROR', message, { reason: 'ambiguous_phone', contactIds });
  }
  return contactIds[0];
}

const LOCK_PHONE = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

const BY_PHONE = `select c.id from contacts c
  where c.sub_account_id = $1 and c.deleted_at is null and c.id in (
    select id from contacts where sub_account_id = $1 and phone = $2 and deleted_at is null
    union
    select id from contacts where sub_account_id = $1 and additional_phones @> array[$2]::text[]
      and additional_phones <> '{}' and deleted_at is null
  )
  order by c.id for update of c`;

/** The given fields as a PATCH; lists are added to, and an additional address stays additional. */
function patchOf(contact: Contact, input: ContactUpsert): ContactPatch {
  const { tags, additionalEmails, additionalPhones, ...fields } = input;
  const patch: ContactPatch = { ...fields };
  if (isAmong(input.email, contact.additionalEmails)) {
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
