import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { claimEmails, emailKeysOf } from './addresses.ts';
import { contactCreated } from './contact.events.ts';
import type { ContactCreate } from './contact.schema.ts';
import { customFieldDefinitions } from './fields/custom-field.ts';
import { newContact, RECORD_MEMBERS } from './new-contact.ts';
import { contactRecord } from './contact.store.ts';

export interface Created {
  readonly id: string;
  /** Returns the contact as endpoints show it; throws before the work is committed. */
  readonly record: () => Json;
}

/**
 * Creates a contact, in one statement with its event, its email claims and the audit row: forms and
 * imports make this a hot path (bench scenario `create-contact`).
 */
export async function createContact(work: Work, input: ContactCreate): Promise<Created> {
  const id = newId(work.now);
  const record = newContact(work, await work.cached(customFieldDefinitions), id, input);
  const values = RECORD_MEMBERS.map((member) => record[member]);
  const written = work.writeRecord(INSERT_CONTACT, values, contactRecord);
  claimEmails(work, id, emailKeysOf(record));
  refuseUnknownAssignee(work, 'contacts');
  work.audit(id);
  await work.emit(contactCreated, { contactId: id, tags: record.tags, data: record.event });
  return { id, record: written };
}

const INSERT_CONTACT = `${insertInto('contacts as c', RECORD_MEMBERS)}
  returning ${contactRecord.members}`;
