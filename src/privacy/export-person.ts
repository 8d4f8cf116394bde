import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { FileStore } from '#core/files.ts';
import type { View } from '#core/work.ts';
import { bound } from './bound.ts';
import { bindingsOf, type Person } from './person.ts';
import { allRows, personalTables, type PersonalTable } from './personal-data.ts';

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

/**
 * Returns a zip archive with everything that is stored about a person: JSON files, and the contents of
 * files in the folder `files`.
 */
export function exportPerson(
  view: View,
  person: Person,
  files: Pick<FileStore, 'open'>,
): NodeJS.ReadableStream {
  const zip = new ZipFile();
  const mtime = view.now;
  void fill(zip, view, person, { files, mtime }).then(
    () => zip.end(),
    (error: unknown) => zip.outputStream.emit('error', error),
  );
  return zip.outputStream;
}

interface Filling {
  readonly files: Pick<FileStore, 'open'>;
  readonly mtime: Date;
}

async function fill(
  zip: ZipFile,
  view: View,
  person: Person,
  { files, mtime }: Filling,
): Promise<void> {
  const rows: Record<string, number> = {};
  for (const one of personalTables) {
    const { export: name } = one;
    if (name !== undefined) {
      const texts = await rowsOf(view, person, one);
      rows[`${name}.json`] = texts.length;
      if (texts.length > 0) {
        zip.addBuffer(Buffer.from(`[\n${texts.join(',\n')}\n]\n`), `${name}.json`, { mtime });
      }
    }
  }
  for (const { id, contentId, name } of await contentsOf(view, person)) {
    const key = { subAccountId: view.subAccountId, id: contentId };
    // Several files may have the same name. Each content is opened when it is its turn.
    zip.addReadStreamLazy(`files/${id}/${name}`, { mtime }, (add) => {
      void files.open(key).then(
        (found) => add(undefined, found ? Readable.fromWeb(found.stream) : Readable.from([])),
        (error: unknown) => add(error, Readable.from([])),
      );
    });
  }
  const about = { exportedAt: mtime.toISOString(), contactIds: person.contactIds, rows };
  zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'about.json', { mtime });
}

interface PersonalFile {
  readonly id: string;
  readonly contentId: string;
  readonly name: string;
}

async function contentsOf(view: View, person: Person): Promise<PersonalFile[]> {
  const files = personalTables.find(({ table }) => table === 'files') as PersonalTable;
  const { text, values } = bound(
    `select t.id, t.content_id as "contentId", t.name from files t
     where (${allRows(files)}) and t.state = 'stored' order by t.id`,
    bindingsOf(view, person),
  );
  return view.rows<PersonalFile>(text, values);
}

async function rowsOf(view: View, person: Person, one: PersonalTable): Promise<string[]> {
  const { text, values } = bound(
    `select (to_jsonb(t) - '{${INTERNAL.join(',')}}'::text[])::text as row
     from ${one.table} t where ${allRows(one)}`,
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
