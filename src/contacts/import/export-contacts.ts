import { snakeCase } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { selectionConditions, type ContactSelection } from '../contact-selection.ts';
import { contactColumns, type ContactColumn, guardCell, joinList } from './csv-columns.ts';
import type { CustomFields } from '../contact.entity.ts';
import { WRITABLE_FIELDS } from '../contact.schema.ts';
import { customFieldDefinitions } from '../fields/custom-field.ts';

/** A page is decoded at once, while everything else waits. */
const PAGE_ROWS = 200;

/**
 * Yields the lines of a CSV of all live contacts, or of a selection: the header, then the oldest contact
 * first. Importing the file changes nothing. A contact that is created meanwhile comes last or not at all.
 */
export async function* exportContacts(
  view: View,
  selection: ContactSelection = {},
): AsyncGenerator<string[]> {
  const columns = contactColumns(await view.cached(customFieldDefinitions));
  yield columns.map(({ name }) => name);
  let after: string | undefined;
  do {
    const page: ContactRecord[] = await readPage(view, selection, after ?? FIRST);
    for (const contact of page) {
      yield columns.map((column) => guardCell(cellOf(contact, column)));
    }
    after = page.length === PAGE_ROWS ? page.at(-1)?.id : undefined;
  } while (after !== undefined);
}

interface ContactRecord extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly customFields: CustomFields;
}

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

const MEMBERS = ['id', ...WRITABLE_FIELDS]
  .map((name) => `c.${snakeCase(name)} as "${name}"`)
  .join(', ');

function readPage(
  view: View,
  selection: ContactSelection,
  after: string,
): Promise<ContactRecord[]> {
  const values: unknown[] = [view.subAccountId, after, PAGE_ROWS];
  const conditions = selectionConditions(selection, (value) => `$${values.push(value)}`);
  return view.rows<ContactRecord>(
    `select ${MEMBERS} from contacts c
     where ${conditions.join(' and ')} and c.id > $2::uuid order by c.id limit $3::int`,
    values,
  );
}

function cellOf(contact: ContactRecord, column: ContactColumn): string {
  switch (column.kind) {
    case 'list':
      return joinList(contact[column.name] as string[]);
    case 'custom':
      return String(contact.customFields[column.definition.name] ?? '');
    case 'id':
    case 'text':
    case 'word':
      return (contact[column.name] as string | null) ?? '';
  }
}
