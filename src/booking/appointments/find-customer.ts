import { invalid, invalidField, type Issue } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { newContact } from '../../contacts/create-contact.ts';
import {
  findContactByEmail,
  findContactById,
  type KnownContact,
} from '../../contacts/find-by-email.ts';
import { lockContactByPhone } from '../../contacts/find-by-phone.ts';
import { insertContacts } from '../../contacts/write-contacts-in-bulk.ts';

/** How a booking names its customer. */
export interface CustomerInput {
  readonly contactId?: string | null;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** A customer's details, from which a contact may have to be created. */
interface CustomerDetails {
  readonly firstName: string;
  readonly lastName: string;
  readonly email?: string | null;
  readonly phone?: string | null;
}

type RequestedCustomer = { readonly contactId: string } | CustomerDetails;

/** Returns the customer that a booking names. Throws VALIDATION_ERROR for missing or contradictory details. */
export function requestedCustomer(input: CustomerInput): RequestedCustomer {
  const { contactId = null, firstName = null, lastName = null, email = null, phone = null } = input;
  if (contactId !== null) {
    if (firstName !== null || lastName !== null || email !== null) {
      throw invalidField('/contactId', 'must not be combined with firstName, lastName or email');
    }
    return { contactId };
  }
  const issues: Issue[] = [];
  const require = (path: string, unless: string) =>
    issues.push({ in: 'body', path, message: `is required unless ${unless} is given` });
  if (firstName === null) {
    require('/firstName', 'contactId');
  }
  if (lastName === null) {
    require('/lastName', 'contactId');
  }
  if (!email && !phone) {
    require('/email', 'phone or contactId');
  }
  if (firstName === null || lastName === null || issues.length > 0) {
    throw invalid(issues);
  }
  return { firstName, lastName, email, phone };
}

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
 * Returns the named contact, or the one with this email, or without an email the one with this phone. It
 * stays unchanged: anyone who knows an email may book with it, and must not be able to edit the contact.
 * Without one it creates a contact; required custom fields are not checked, because the customer was
 * not asked for them. Throws VALIDATION_ERROR for an unknown `contactId` and for a phone of several contacts.
 */
export async function findOrCreateCustomer(
  work: Work,
  customer: RequestedCustomer,
): Promise<Customer> {
  if ('contactId' in customer) {
    const named = await findContactById(outside(work), customer.contactId);
    if (!named) {
      throw invalidField('/contactId', 'is not a contact of this sub-account');
    }
    return existing(named);
  }
  const { email, phone } = customer;
  const known = email
    ? await findContactByEmail(outside(work), email)
    : phone && (await findByPhone(work, phone));
  return known ? existing(known) : createCustomer(work, customer);
}

const outside = ({ subAccountId, readOutside: rows }: Work) => {
  return { subAccountId, rows };
};

async function findByPhone(work: Work, phone: string): Promise<KnownContact | undefined> {
  const id = await lockContactByPhone(work, phone);
  return id === undefined ? undefined : findContactById(work, id);
}

function existing(contact: KnownContact): Customer {
  const { id: contactId, tags, firstName, lastName, email, phone } = contact;
  return { contactId, tags, shown: { firstName, lastName, email, phone }, existed: true };
}

async function createCustomer(
  work: Work,
  { firstName, lastName, email = null, phone = null }: CustomerDetails,
): Promise<Customer> {
  const input = { firstName, lastName, email, phone, source: 'booking' };
  const contact = newContact(work, [], newId(work.now), input);
  await insertContacts(work, [contact]);
  work.retryOn('contact_emails_pkey');
  const shown = { firstName, lastName, email, phone };
  return { contactId: contact.id, tags: contact.tags, shown, existed: false };
}
