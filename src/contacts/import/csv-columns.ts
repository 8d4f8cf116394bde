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

/** `dnd` is left out: an import must never undo an opt-out. */
type Importable = Exclude<(typeof WRITABLE_FIELDS)[number], 'dnd' | 'customFields'>;

/** The fields of a contact that a file may set. */
export type ContactFields = Omit<ContactPatch, 'dnd'>;

/** A column of a contacts CSV. `text` is taken as it is; a `word` is trimmed. */
export type ContactColumn =
  | { readonly kind: 'id'; readonly name: 'id' }
  | { readonly kind: 'text' | 'word' | 'list'; readonly name: Importable }
  | { readonly kind: 'custom'; readonly name: string; readonly definition: CustomFieldDefinition };

/** Returns every possible column, in the order of an export. */
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

/**
 * Returns the columns of a file by the names in its first line, or by other names for them, of which `''`
 * leaves a column out. Throws for unknown, repeated and missing ones.
 */
export function readHeader(
  definitions: readonly CustomFieldDefinition[],
  header: readonly string[],
  names?: readonly string[],
): (ContactColumn | undefined)[] {
  if (names && names.length !== header.length) {
    throw refused(`the file has ${header.length} columns`, `but ${names.length} are named`);
  }
  const known = new Map(contactColumns(definitions).map((column) => [column.name, column]));
  const columns: (ContactColumn | undefined)[] = [];
  for (const name of (names ?? header).map((cell) => cell.trim())) {
    if (names && name === '') {
      columns.push(undefined);
      continue;
    }
    const column = known.get(name);
    if (!column) {
      const allowed = [...known.keys()].join(', ');
      throw refused(name || 'a column without a name', `is not a column; allowed are ${allowed}`);
    }
    if (columns.includes(column)) {
      throw refused(name, 'appears twice');
    }
    columns.push(column);
  }
  for (const name of ['firstName', 'lastName']) {
    if (!columns.some((column) => column?.name === name)) {
      throw refused(name, 'is missing');
    }
  }
  return columns;
}

const refused = (column: string, message: string): Fault =>
  new Fault('VALIDATION_ERROR', `line 1: ${column} ${message}`);

/** What a spreadsheet evaluates as a formula, behind any apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** Puts an apostrophe before a text that a spreadsheet would evaluate as a formula. */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Reverses `guardCell`: removes one apostrophe, if `guardCell` could have added it. */
export const unguardCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** Joins values with semicolons; a `\` escapes a semicolon within a value. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => value.replaceAll(/[\\;]/g, String.raw`\$&`)).join(';');

/** Splits such a cell. A `\` before any other character is a plain backslash: `AC\DC`. */
export const splitList = (cell: string): string[] =>
  [...cell.matchAll(/(?:\\[\\;]|[^;])+/g)]
    .map(([value]) => value.replaceAll(/\\([\\;])/g, '$1').trim())
    .filter((value) => value !== '');
