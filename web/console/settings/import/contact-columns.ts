import { FIELD_OF_TITLE, plain } from './column-titles.ts';

/** What a column may hold, besides custom fields. */
export const CONTACT_COLUMNS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'company',
  'title',
  'source',
  'tags',
  'lifecycleStage',
  'assignedTo',
  'dateOfBirth',
  'timezone',
  'additionalEmails',
  'additionalPhones',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
  'id',
] as const;

/** A custom field of the sub-account. */
export interface CustomField {
  readonly name: string;
  readonly label: string;
}

/** Returns the name of a custom field's column. */
export const customColumn = (name: string): string => `customFields.${name}`;

/** Returns the contact's member for each column of a file; '' leaves a column out. */
export function guessColumns(
  header: readonly string[],
  customFields: readonly CustomField[],
): string[] {
  const used = new Set<string>();
  return header.map((title) => {
    const found = columnOf(title.trim(), customFields);
    const isFree = !used.has(found);
    used.add(found);
    return isFree ? found : '';
  });
}

/** Names win over labels, and custom fields over what a title often means. */
function columnOf(title: string, customFields: readonly CustomField[]): string {
  const names = [...CONTACT_COLUMNS, ...customFields.map(({ name }) => customColumn(name))];
  const wanted = plain(title);
  const labelled = customFields.find(({ label }) => wanted !== '' && plain(label) === wanted);
  return (
    names.find((name) => name === title) ??
    names.find((name) => plain(name.replace('customFields.', '')) === wanted) ??
    (labelled && customColumn(labelled.name)) ??
    FIELD_OF_TITLE.get(wanted) ??
    ''
  );
}
