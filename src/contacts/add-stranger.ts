import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import type { ContactCreate } from './contact.shape.ts';
import { customFieldDefinitions } from './custom-field.ts';
import { insertContacts } from './insert-contacts.ts';
import { newContact } from './new-contact.ts';
import { runAgain } from './run-again.ts';

/** Letters of each name that a contact holds. */
const NAME_MAX = 200;
/** Every contact has a last name; what was not said is a dash. */
const UNSAID = '–';

interface Stranger extends Partial<ContactCreate> {
  /** His name in one, as he said it. */
  readonly called?: string;
  /** What he is called by where he said none: his address. */
  readonly address?: string | null | undefined;
}

export interface AddedStranger {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * Makes a contact of somebody who came by himself: nobody asked him what custom fields require. Runs
 * the work again where somebody else made him a contact this moment.
 */
export async function addStranger(
  work: Work,
  { called = '', address, ...said }: Stranger,
): Promise<AddedStranger> {
  const definitions = said.customFields ? await work.cached(customFieldDefinitions) : [];
  const asked = definitions.map((definition) => ({ ...definition, isRequired: false }));
  const names = namesIn(called, address ?? UNSAID);
  const contact = newContact(work, asked, newId(work.now), { ...names, ...said });
  await insertContacts(work, [contact]);
  runAgain(work, 'contact_emails_pkey');
  return { contactId: contact.id, tags: contact.tags };
}

function namesIn(called: string, address: string) {
  const [first = '', ...rest] = called.trim().split(/\s+/);
  return { firstName: cut(first || address), lastName: cut(rest.join(' ')) || UNSAID };
}

/** Not within a letter: half of one is nothing that PostgreSQL takes. */
const cut = (name: string): string => Array.from(name).slice(0, NAME_MAX).join('');
