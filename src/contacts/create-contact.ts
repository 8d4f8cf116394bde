import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { claimEmails, emailKeysOf, additional, addressesOf } from './claim-addresses.ts';
import { contactCreated } from './contact.events.ts';
import { type ContactCreate, WRITABLE_FIELDS } from './contact.schema.ts';
import {
  customFieldDefinitions,
  type CustomFieldDefinition,
  newCustomValues,
} from './fields/custom-field.ts';
import { insertedContact } from './contact.store.ts';
import { mergedDnd, refuseLongLists, dedupeTags } from './contact-change.ts';

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
  const written = work.writeRecord(INSERT_CONTACT, values, insertedContact);
  claimEmails(work, id, emailKeysOf(record), input);
  refuseUnknownAssignee(work, 'contacts');
  work.audit(id);
  await work.emit(contactCreated, { contactId: id, tags: record.tags, data: record.event });
  return { id, record: written };
}

/** Members of a new contact's record: each is a column of `contacts`. */
export const RECORD_MEMBERS = [
  'subAccountId',
  'id',
  ...WRITABLE_FIELDS,
  'addresses',
  'createdAt',
  'updatedAt',
] as const;

const INSERT_CONTACT = `${insertInto('contacts as c', RECORD_MEMBERS)}
  returning ${insertedContact.members}`;

export type NewContact = ReturnType<typeof newContact>;

/** Returns the record of a new contact and the data of its `contact.created`. Writes nothing. */
export function newContact(
  { subAccountId, now }: Pick<Work, 'subAccountId' | 'now'>,
  definitions: readonly CustomFieldDefinition[],
  id: string,
  input: ContactCreate,
) {
  const email = input.email ?? null;
  const phone = input.phone ?? null;
  const contact = {
    ...EMPTY,
    ...input,
    subAccountId,
    id,
    email,
    phone,
    tags: dedupeTags([], input.tags ?? []),
    additionalEmails: additional(input.additionalEmails ?? [], email),
    additionalPhones: additional(input.additionalPhones ?? [], phone),
    customFields: newCustomValues(definitions, input.customFields),
    dnd: mergedDnd({}, input.dnd),
    createdAt: now,
    updatedAt: now,
  };
  refuseLongLists(NO_LISTS, contact);
  const { firstName, lastName, company, source, tags, lifecycleStage } = contact;
  return {
    ...contact,
    addresses: addressesOf(contact),
    event: { firstName, lastName, email, phone, company, source, tags, lifecycleStage },
  };
}

const NO_LISTS = { tags: [], additionalEmails: [], additionalPhones: [] };

const EMPTY = {
  company: null,
  title: null,
  source: null,
  lifecycleStage: 'lead',
  assignedTo: null,
  addressLine1: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
  dateOfBirth: null,
  timezone: null,
} as const;
