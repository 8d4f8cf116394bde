import type { Work } from '#core/work.ts';
import { additional, addressesOf } from './addresses.ts';
import { WRITABLE_FIELDS, type ContactCreate } from './contact.schema.ts';
import type { CustomFieldDefinition } from './fields/custom-field.ts';
import { newCustomValues } from './fields/custom-values.ts';
import { mergedDnd } from './contact-change.ts';
import { refuseLongLists, dedupeTags } from './contact-lists.ts';

/** Members of a new contact's record: each is a column of `contacts`. */
export const RECORD_MEMBERS = [
  'subAccountId',
  'id',
  ...WRITABLE_FIELDS,
  'addresses',
  'createdAt',
  'updatedAt',
] as const;

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
