import type { Work } from '#kit/work.ts';
import { additional } from './addresses.ts';
import type { Contact } from './contact.entity.ts';
import { WRITABLE_FIELDS, type ContactPatch } from './contact.shape.ts';
import { customFieldDefinitions } from './custom-field.ts';
import { mergedCustomValues } from './custom-values.ts';
import { settledDnd } from './do-not-disturb.ts';
import { keepSpelling } from './tags.ts';

/** What of a contact can be written. */
export type WritableFields = Pick<Contact, (typeof WRITABLE_FIELDS)[number]>;

/** A contact as it is and as it will be. */
export interface ContactChange {
  readonly before: WritableFields;
  readonly after: WritableFields;
}

/** What a patch makes of a contact; nothing where all comes out the same. Changes nothing itself. */
export async function changeOf(
  work: Work,
  contact: WritableFields,
  patch: ContactPatch,
): Promise<ContactChange | undefined> {
  const before = fieldsOf(contact);
  const { customFields, dnd, tags, additionalEmails, additionalPhones, ...given } = patch;
  const after = { ...before };
  Object.assign(after, given);
  after.tags = tags ? keepSpelling(before.tags, tags) : before.tags;
  after.additionalEmails = additional(additionalEmails ?? before.additionalEmails, after.email);
  after.additionalPhones = additional(additionalPhones ?? before.additionalPhones, after.phone);
  if (customFields !== undefined) {
    const definitions = await work.cached(customFieldDefinitions);
    after.customFields = mergedCustomValues(definitions, before.customFields, customFields);
  }
  after.dnd = settledDnd(before.dnd, dnd);
  return WRITABLE_FIELDS.every((field) => isSame(before[field], after[field]))
    ? undefined
    : { before, after };
}

const fieldsOf = (contact: WritableFields): WritableFields =>
  Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, contact[field]])) as WritableFields;

/** Custom fields and opt-outs may stand in another order; PostgreSQL keeps none. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after || canonical(before) === canonical(after);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
