import type { Work } from '#core/work.ts';
import { additional } from './addresses.ts';
import type { Contact } from '../contact.entity.ts';
import { WRITABLE_FIELDS, type ContactPatch } from '../contact.schema.ts';
import { customFieldDefinitions } from '../fields/custom-field.ts';
import { mergedCustomValues } from '../fields/custom-values.ts';
import { settledDnd } from '../consent/do-not-disturb.ts';
import { refuseLongLists } from './list-limits.ts';
import { dedupeTags } from './tags.ts';

/** True of a field without a value; only a last name may be an empty text. */
export const isEmpty = (value: unknown): boolean => (value ?? '') === '';

/** What of a contact can be written. */
export type WritableFields = Pick<Contact, (typeof WRITABLE_FIELDS)[number]>;

/** A contact as it is and as it will be. */
export interface ContactChange {
  readonly before: WritableFields;
  readonly after: WritableFields;
}

/**
 * Returns what a patch makes of a contact, or nothing where all stays the same. Changes nothing itself.
 * Throws where a list would grow too long; `blamed` points to the field of the body that asks for it.
 */
export async function changeOf(
  work: Work,
  contact: WritableFields,
  patch: ContactPatch,
  blamed?: string,
): Promise<ContactChange | undefined> {
  const before = fieldsOf(contact);
  const { customFields, dnd, tags, additionalEmails, additionalPhones, ...given } = patch;
  const after = { ...before };
  Object.assign(after, given);
  after.tags = tags ? dedupeTags(before.tags, tags) : before.tags;
  after.additionalEmails = additional(additionalEmails ?? before.additionalEmails, after.email);
  after.additionalPhones = additional(additionalPhones ?? before.additionalPhones, after.phone);
  refuseLongLists(before, after, blamed);
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
