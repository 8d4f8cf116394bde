import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { ContactCreate } from './contact.schema.ts';
import { customFieldDefinitions } from './fields/custom-field.ts';
import { UNKNOWN_NAME } from './contact.store.ts';
import { insertContacts } from './write-contacts-in-bulk.ts';
import { newContact } from './create-contact.ts';
import { Fault } from '#core/fault.ts';

/** Code points per name. */
const NAME_MAX = 200;

interface MinimalContactInput extends Partial<ContactCreate> {
  /** The person's full name. */
  readonly fullName?: string;
  /** Stands in for a missing first name. */
  readonly address?: string | null | undefined;
}

export interface MinimalContact {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * Creates a contact for a person who wrote, chatted or filled in a form. The last name may be empty,
 * and required custom fields may be missing. The work is retried if another request creates a contact
 * with the same email at the same time.
 */
export async function createMinimalContact(
  work: Work,
  { fullName = '', address, ...fields }: MinimalContactInput,
): Promise<MinimalContact> {
  const definitions = fields.customFields ? await work.cached(customFieldDefinitions) : [];
  const optional = definitions.map((definition) => ({ ...definition, isRequired: false }));
  const names = namesIn(fullName, address);
  const contact = newContact(work, optional, newId(work.now), { ...names, ...fields });
  await insertContacts(work, [contact]);
  retryOnConflict(work, 'contact_emails_pkey');
  return { contactId: contact.id, tags: contact.tags };
}

/** Returns first and last name as in `fullName`. Without any name, the address is the first one. */
export function namesIn(fullName: string, address: string | null = null) {
  const [first = '', ...rest] = fullName.trim().split(/\s+/);
  return { firstName: cut(first || (address ?? UNKNOWN_NAME)), lastName: cut(rest.join(' ')) };
}

/** Cuts by code point: PostgreSQL rejects lone surrogates. */
const cut = (name: string): string => Array.from(name).slice(0, NAME_MAX).join('');

/**
 * Retries the work if it breaks this constraint: a concurrent change of the same contact won, and the
 * next attempt sees it. Once the attempts are used up, the caller gets a 503 with `retry-after`.
 */
export function retryOnConflict(work: Work, constraint: string): void {
  work.retryOn(constraint);
  work.mapConstraint(constraint, contactIsBusy);
}

const contactIsBusy = () =>
  new Fault('SERVICE_UNAVAILABLE', 'the contact is being changed; send this again', undefined, {
    'retry-after': '1',
  });
