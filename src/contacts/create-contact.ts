import { insertInto } from '#kit/columns.ts';
import { invalidField } from '#kit/fault.ts';
import { newId } from '#kit/id.ts';
import type { Work } from '#kit/work.ts';
import { claimEmails, emailKeysOf } from './addresses.ts';
import { contactCreated } from './contact.events.ts';
import type { ContactCreate } from './contact.shape.ts';
import { customFieldDefinitions } from './custom-field.ts';
import { newContact, RECORD_MEMBERS } from './new-contact.ts';

/**
 * Creates a contact and answers its id. Written as one statement with its event, its email claims
 * and the audit row: this is the path that a busy form hammers.
 */
export async function createContact(work: Work, input: ContactCreate): Promise<string> {
  const id = newId(work.now);
  const record = newContact(work, await work.cached(customFieldDefinitions), id, input);
  work.write(
    INSERT_CONTACT,
    RECORD_MEMBERS.map((member) => record[member]),
  );
  claimEmails(work, id, emailKeysOf(record));
  explainAssignee(work);
  work.touch(id);
  await work.emit(contactCreated, { contactId: id, tags: record.tags, data: record.event });
  return id;
}

export function explainAssignee(work: Work): void {
  work.explain('contacts_assigned_to_fkey', () =>
    invalidField('/assignedTo', 'is not a team member of this sub-account'),
  );
}

const INSERT_CONTACT = insertInto('contacts', RECORD_MEMBERS);
