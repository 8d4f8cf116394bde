import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import type { ContactCreate } from './contact.shape.ts';
import { customFieldDefinitions } from './custom-field.ts';
import { insertContacts } from './insert-contacts.ts';
import { newContact } from './new-contact.ts';
import { runAgain } from './run-again.ts';

/** Letters of each name that a contact holds. */
const NAME_MAX = 200;
/** The first name of a contact of whom neither a name nor an address is known. */
const UNKNOWN = '–';

interface Stranger extends Partial<ContactCreate> {
  /** The full name, as the person gave it. */
  readonly called?: string;
  /** The first name of a person who gave none: the address. */
  readonly address?: string | null | undefined;
}

export interface AddedStranger {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * Creates a contact of a person who wrote, chatted or filled in a form. The last name is empty where
 * none was given, and required custom fields may be missing. Runs the work again where another
 * request created a contact with the same email at this moment.
 */
export async function addStranger(
  work: Work,
  { called = '', address, ...said }: Stranger,
): Promise<AddedStranger> {
  const definitions = said.customFields ? await work.cached(customFieldDefinitions) : [];
  const asked = definitions.map((definition) => ({ ...definition, isRequired: false }));
  const names = namesIn(called, address ?? UNKNOWN);
  const contact = newContact(work, asked, newId(work.now), { ...names, ...said });
  await insertContacts(work, [contact]);
  runAgain(work, 'contact_emails_pkey');
  return { contactId: contact.id, tags: contact.tags };
}

function namesIn(called: string, address: string) {
  const [first = '', ...rest] = called.trim().split(/\s+/);
  return { firstName: cut(first || address), lastName: cut(rest.join(' ')) };
}

/** Not within a letter: half of one is nothing that PostgreSQL takes. */
const cut = (name: string): string => Array.from(name).slice(0, NAME_MAX).join('');
