import { issuesOf } from '#core/schema/check.ts';
import type { Issue } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { type ContactColumn, type ContactFields, splitList, unguardCell } from './csv-columns.ts';
import type { LocalFormats } from './local-formats.ts';
import { contactPatch } from '../contact.schema.ts';
import { issueWith, parseText, type CustomFieldDefinition } from '../fields/custom-field.ts';

/** A parsed line of a file. */
export interface ContactRow {
  readonly line: number;
  /** The id of an existing contact, if the line names one. */
  readonly id: string | undefined;
  readonly fields: ContactFields;
}

/** A line that cannot be imported; the message names every column at fault. */
export interface RefusedRow {
  readonly line: number;
  readonly message: string;
}

/** Parses a line by the rules of the API, with local phones and dates. Blank cells are ignored. */
export function parseContactRow(
  columns: readonly (ContactColumn | undefined)[],
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  formats: LocalFormats,
): ContactRow | RefusedRow {
  if (cells.length !== columns.length) {
    return { line, message: `has ${cells.length} cells, but the header has ${columns.length}` };
  }
  const all = columns.flatMap((column, index) =>
    column ? [{ column, text: unguardCell(cells[index] ?? '') }] : [],
  );
  const filled = all.filter(({ text }) => text.trim() !== '');
  const nul = filled.find(({ text }) => text.includes('\0'));
  if (nul) {
    return { line, message: `${nul.column.name}: must not contain a NUL character` };
  }
  const row = readCells(filled, formats);
  const refusals = [
    ...idIssues(row.id),
    ...fieldIssues(row.fields, formats),
    ...customIssues(filled, row, formats),
  ];
  return refusals.length > 0 ? { line, message: refusals.join('; ') } : { line, ...row };
}

interface Cell {
  readonly column: ContactColumn;
  readonly text: string;
}

type ParsedCells = Omit<ContactRow, 'line'>;

function readCells(cells: readonly Cell[], formats: LocalFormats): ParsedCells {
  const fields: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  let id: string | undefined;
  for (const { column, text } of cells) {
    switch (column.kind) {
      case 'id':
        id = text.trim().toLowerCase();
        break;
      case 'text':
        fields[column.name] = text;
        break;
      case 'word':
        fields[column.name] = readWord(column.name, text.trim(), formats);
        break;
      case 'list':
        fields[column.name] =
          column.name === 'additionalPhones' ? splitList(text).map(formats.phone) : splitList(text);
        break;
      case 'custom':
        custom[column.definition.name] = readCustom(column.definition, text, formats);
        break;
    }
  }
  const customFields = Object.keys(custom).length > 0 && { customFields: custom };
  return { id, fields: { ...fields, ...customFields } };
}

function readWord(name: string, word: string, { phone, date }: LocalFormats): string {
  switch (name) {
    case 'phone':
      return phone(word);
    case 'dateOfBirth':
      return date(word);
    default:
      return word;
  }
}

/** JavaScript's notation, so that every exported number can be parsed. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function readCustom(
  definition: CustomFieldDefinition,
  text: string,
  { phone, date }: LocalFormats,
): unknown {
  const word = text.trim();
  switch (definition.type) {
    case 'number':
      return NUMBER.test(word) && Number.isFinite(Number(word)) ? Number(word) : word;
    case 'boolean':
      return parseText(definition, word);
    case 'date':
      return date(word);
    case 'phone':
      return phone(word);
    case 'email':
      return word;
    case 'text':
    case 'select':
    case 'url':
      return text;
  }
}

const idIssues = (id: string | undefined): string[] =>
  id === undefined || FORMATS['uuid']?.test(id) ? [] : [`id: ${FORMATS['uuid']?.says}`];

const fieldIssues = (fields: ContactFields, { explain }: LocalFormats): string[] =>
  issuesOf(contactPatch, fields).map(({ path, message }) =>
    refusalOf({ path, message: explain(message, valueAt(fields, path)) }),
  );

/** Returns the value of a field, or of one of its list: `/additionalEmails/1`. */
function valueAt(fields: Readonly<Record<string, unknown>>, path: string): unknown {
  const [, name = '', index] = path.split('/');
  const value = fields[name];
  return Array.isArray(value) ? (value as unknown[])[Number(index)] : value;
}

const customIssues = (
  cells: readonly Cell[],
  { fields }: ParsedCells,
  { explain }: LocalFormats,
): string[] =>
  cells.flatMap(({ column }) => {
    if (column.kind !== 'custom') {
      return [];
    }
    const value = fields.customFields?.[column.definition.name];
    const issue = issueWith(column.definition, value);
    return issue ? [`${column.name}: ${explain(issue, value)}`] : [];
  });

/** Returns an issue's message with the name of its column: `/additionalEmails/1` is `additionalEmails`. */
export function refusalOf({ path, message }: Omit<Issue, 'in'>): string {
  const [, field = '', member = ''] = path.split('/');
  const isCustom = field === 'customFields' && member !== '';
  return `${isCustom ? `customFields.${member}` : field}: ${message}`;
}
