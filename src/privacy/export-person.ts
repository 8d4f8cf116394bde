import { ZipFile } from 'yazl';
import type { View } from '#core/work.ts';
import { bound } from './bound.ts';
import { bindingsOf, type Person } from './person.ts';
import { personalTables } from './personal-data.ts';

/** Columns that are no data of the person. */
const INTERNAL = [
  'sub_account_id',
  'search_text',
  'tag_keys',
  'addresses',
  'secret_hash',
  'claimed_by',
  'chat_position',
  'activity_hour',
];

/** Returns a zip archive of JSON files with everything that is stored about a person. */
export function exportPerson(view: View, person: Person): NodeJS.ReadableStream {
  const zip = new ZipFile();
  const mtime = view.now;
  void fill(zip, view, person, mtime).then(
    () => zip.end(),
    (error: unknown) => zip.outputStream.emit('error', error),
  );
  return zip.outputStream;
}

async function fill(zip: ZipFile, view: View, person: Person, mtime: Date): Promise<void> {
  const rows: Record<string, number> = {};
  for (const { table, export: name, rows: condition } of personalTables) {
    if (name !== undefined) {
      const texts = await rowsOf(view, person, { table, condition });
      rows[`${name}.json`] = texts.length;
      if (texts.length > 0) {
        zip.addBuffer(Buffer.from(`[\n${texts.join(',\n')}\n]\n`), `${name}.json`, { mtime });
      }
    }
  }
  const about = { exportedAt: mtime.toISOString(), contactIds: person.contactIds, rows };
  zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'about.json', { mtime });
}

async function rowsOf(
  view: View,
  person: Person,
  { table, condition }: { readonly table: string; readonly condition: string },
): Promise<string[]> {
  const { text, values } = bound(
    `select (to_jsonb(t) - '{${INTERNAL.join(',')}}'::text[])::text as row
     from ${table} t where ${condition}`,
    bindingsOf(view, person),
  );
  const rows = await view.rows<{ row: string }>(text, values);
  return rows.map(({ row }) => JSON.stringify(camelCased(JSON.parse(row) as object)));
}

/** The names of the API; members that people named stay as they are. */
const camelCased = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
