import { Fault } from '#core/fault.ts';
import { type ContactPatch, WRITABLE_FIELDS } from '../contact.schema.ts';
import type { CustomFieldDefinition } from '../fields/custom-field.ts';

const TEXTS = [
  'firstName',
  'lastName',
  'company',
  'title',
  'source',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
] as const;
const LISTS = ['tags', 'additionalEmails', 'additionalPhones'] as const;

/** Who must not be disturbed is no business of a file: an import never revives an opt-out. */
type Importable = Exclude<(typeof WRITABLE_FIELDS)[number], 'dnd' | 'customFields'>;

/** What a file may say of a contact. */
export type ContactFields = Omit<ContactPatch, 'dnd'>;

/** A column of a CSV of contacts. `text` is taken as it stands, around a `word` blanks mean nothing. */
export type ContactColumn =
  | { readonly kind: 'id'; readonly name: 'id' }
  | { readonly kind: 'text' | 'word' | 'list'; readonly name: Importable }
  | { readonly kind: 'custom'; readonly name: string; readonly definition: CustomFieldDefinition };

/** Every column that there is, in the order in which an export has them. */
export function contactColumns(definitions: readonly CustomFieldDefinition[]): ContactColumn[] {
  return [
    { kind: 'id', name: 'id' },
    ...WRITABLE_FIELDS.filter((name) => name !== 'dnd' && name !== 'customFields').map((name) => ({
      kind: kindOf(name),
      name,
    })),
    ...definitions.map((definition) => ({
      kind: 'custom' as const,
      name: `customFields.${definition.name}`,
      definition,
    })),
  ];
}

const kindOf = (name: Importable): 'text' | 'word' | 'list' => {
  const isOneOf = (names: readonly string[]) => names.includes(name);
  return isOneOf(TEXTS) ? 'text' : isOneOf(LISTS) ? 'list' : 'word';
};

/** The columns that a file's first line names; refuses unknown, repeated and missing ones. */
export function readHeader(
  definitions: readonly CustomFieldDefinition[],
  header: readonly string[],
): ContactColumn[] {
  const known = new Map(contactColumns(definitions).map((column) => [column.name, column]));
  const columns: ContactColumn[] = [];
  for (const name of header.map((cell) => cell.trim())) {
    const column = known.get(name);
    if (!column) {
      const there = [...known.keys()].join(', ');
      throw refused(name || 'a column without a name', `is no column; there are ${there}`);
    }
    if (columns.includes(column)) {
      throw refused(name, 'is named twice');
    }
    columns.push(column);
  }
  for (const name of ['firstName', 'lastName']) {
    if (!columns.some((column) => column.name === name)) {
      throw refused(name, 'is missing');
    }
  }
  return columns;
}

const refused = (column: string, message: string): Fault =>
  new Fault('VALIDATION_ERROR', `line 1: ${column} ${message}`);
