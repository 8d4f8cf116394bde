import type { MergeValues } from '#lib/merge-fields.ts';
import type { Contact } from './contact.entity.ts';

type Mergeable = Pick<Contact, 'firstName' | 'lastName' | 'email' | 'phone' | 'company'>;

/** Returns the values of the merge fields in a message to a contact (spec "Conversations"). */
export function mergeValuesOf(
  { firstName, lastName, email, phone, company }: Mergeable,
  customValues: Readonly<Record<string, string>>,
): MergeValues {
  const custom = Object.entries(customValues).map(([name, value]) => [
    `custom_values.${name}`,
    value,
  ]);
  const fullName = `${firstName} ${lastName}`.trim();
  return { firstName, lastName, email, phone, company, fullName, ...Object.fromEntries(custom) };
}
