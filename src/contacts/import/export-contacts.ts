import { snakeCase } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { contactColumns, type ContactColumn, guardCell, joinList } from './csv-columns.ts';
import type { CustomFields } from '../contact.entity.ts';
import { WRITABLE_FIELDS } from '../contact.schema.ts';
import { customFieldDefinitions } from '../fields/custom-field.ts';

const PAGE_ROWS = 1_000;

/**
 * Yields the lines of a CSV of all live contacts: the header, then the oldest contact first. Importing
 * the file changes nothing. A contact that is created meanwhile comes last or not at all.
 */
export async function* exportContacts(view: View): AsyncGenerator<string[]> {
  const columns = contactColumns(await view.cached(customFieldDefinitions));
  yield columns.map(({ name }) => name);
  let after: string | undefined;
  do {
    const page: ContactRecord[] = await view.rows<ContactRecord>(PAGE, [
      view.subAccountId,
      after ?? FIRST,
      PAGE_ROWS,
    ]);
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
  .map((name) => `${snakeCase(name)} as "${name}"`)
  .join(', ');

const PAGE = `select ${MEMBERS} from contacts
  where sub_account_id = $1 and deleted_at is null and id > $2::uuid order by id limit $3::int`;

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
