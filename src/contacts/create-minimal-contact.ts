import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import type { ContactCreate } from './contact.schema.ts';
import { customFieldDefinitions } from './fields/custom-field.ts';
import { insertContacts } from './write-contacts.ts';
import { newContact } from './new-contact.ts';
import { Fault } from '#core/fault.ts';

/** Letters of each name that a contact holds. */
const NAME_MAX = 200;
/** The first name of a contact of whom neither a name nor an address is known. */
const UNKNOWN = '–';

interface MinimalContactInput extends Partial<ContactCreate> {
  /** The full name, as the person gave it. */
  readonly called?: string;
  /** The first name of a person who gave none: the address. */
  readonly address?: string | null | undefined;
}

export interface MinimalContact {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * Creates a contact of a person who wrote, chatted or filled in a form. The last name is empty where
 * none was given, and required custom fields may be missing. Runs the work again where another
 * request created a contact with the same email at this moment.
 */
export async function createMinimalContact(
  work: Work,
  { called = '', address, ...said }: MinimalContactInput,
): Promise<MinimalContact> {
  const definitions = said.customFields ? await work.cached(customFieldDefinitions) : [];
  const asked = definitions.map((definition) => ({ ...definition, isRequired: false }));
  const names = namesIn(called, address ?? UNKNOWN);
  const contact = newContact(work, asked, newId(work.now), { ...names, ...said });
  await insertContacts(work, [contact]);
  retryOnConflict(work, 'contact_emails_pkey');
  return { contactId: contact.id, tags: contact.tags };
}

function namesIn(called: string, address: string) {
  const [first = '', ...rest] = called.trim().split(/\s+/);
  return { firstName: cut(first || address), lastName: cut(rest.join(' ')) };
}

/** Not within a letter: half of one is nothing that PostgreSQL takes. */
const cut = (name: string): string => Array.from(name).slice(0, NAME_MAX).join('');

/**
 * Whoever breaks this constraint lost against a change of the same contact, which his next try sees.
 * Where each try lost, the caller is told to come again.
 */
export function retryOnConflict(work: Work, constraint: string): void {
  work.retryOn(constraint);
  work.mapConstraint(constraint, comeAgain);
}

const comeAgain = () =>
  new Fault('SERVICE_UNAVAILABLE', 'the contact is being changed; send this again', undefined, {
    'retry-after': '1',
  });
