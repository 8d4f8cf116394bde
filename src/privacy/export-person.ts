import { once } from 'node:events';
import { addAbortSignal, type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { FileStore } from '#core/files.ts';
import type { View } from '#core/work.ts';
import { bound } from './bound.ts';
import { bindingsOf, type Person } from './person.ts';
import { allRows, personalTables, type PersonalTable } from './personal-data.ts';
import { rowsOfPerson } from './rows-of-person.ts';

/**
 * Returns a zip archive with everything that is stored about a person: JSON files, and the contents of
 * files in the folder `files`. Throws if its first rows cannot be read. Rows and files are read at the pace
 * of the archive's reader; an error while they are read destroys the archive.
 */
export async function exportPerson(
  view: View,
  person: Person,
  files: Pick<FileStore, 'open'>,
): Promise<Readable> {
  const zip = new ZipFile();
  const archive = zip.outputStream as PassThrough;
  const closing = new AbortController();
  const fail = (error: unknown) => void archive.destroy(error as Error);
  // Without listeners, an error would end the process.
  zip.on('error', fail);
  archive.on('error', () => undefined);
  archive.once('close', () => closing.abort());
  const ready = once(archive, 'readable');
  void fill({ zip, mtime: view.now, closed: closing.signal }, view, person, files).then(
    () => zip.end(),
    fail,
  );
  await ready;
  return archive;
}

interface Archive {
  readonly zip: ZipFile;
  readonly mtime: Date;
  /** Aborted when the archive is closed, whether it is complete or not. */
  readonly closed: AbortSignal;
}

async function fill(
  archive: Archive,
  view: View,
  person: Person,
  files: Pick<FileStore, 'open'>,
): Promise<void> {
  const { zip, mtime, closed } = archive;
  const rows: Record<string, number> = {};
  for (const one of personalTables) {
    if (one.export !== undefined) {
      closed.throwIfAborted();
      const name = `${one.export}.json`;
      rows[name] = await addRows(archive, name, rowsOfPerson(view, person, one));
    }
  }
  for (const { id, contentId, name } of await contentsOf(view, person)) {
    closed.throwIfAborted();
    const found = await files.open({ subAccountId: view.subAccountId, id: contentId });
    // Several files may have the same name.
    const path = `files/${id}/${name}`;
    const file = found ? Readable.fromWeb(found.stream) : Readable.from([]);
    // Pictures and PDFs hardly become smaller, and each compressor takes 256 kB until memory is freed.
    await addFile(archive, { name: path, file, compress: false });
  }
  const about = { exportedAt: mtime.toISOString(), contactIds: person.contactIds, rows };
  zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'about.json', { mtime });
}

/** Adds a file with rows, unless there are none, and returns their number. */
async function addRows(
  archive: Archive,
  name: string,
  rows: AsyncGenerator<string>,
): Promise<number> {
  const first = await rows.next();
  if (first.done) {
    return 0;
  }
  let count = 1;
  async function* pieces() {
    let text = `[\n${first.value}`;
    for await (const row of rows) {
      count += 1;
      text += `,\n${row}`;
      if (text.length >= PIECE_CHARACTERS) {
        yield Buffer.from(text);
        text = '';
      }
    }
    yield Buffer.from(`${text}\n]\n`);
  }
  await addFile(archive, { name, file: Readable.from(pieces(), BYTES), compress: true });
  return count;
}

const PIECE_CHARACTERS = 65_536;
/** By default, a stream of an iterator reads 16 pieces ahead. */
const BYTES = { objectMode: false, highWaterMark: 1 };

interface AddedFile {
  readonly name: string;
  readonly file: Readable;
  readonly compress: boolean;
}

/** Adds a file, and waits until it was read: the next one is opened when it is its turn. */
async function addFile({ zip, mtime, closed }: Archive, { name, file, compress }: AddedFile) {
  addAbortSignal(closed, file);
  const read = finished(file, { writable: false });
  // The library keeps this function until the archive ends: it must not keep the file.
  let unread: Readable | undefined = file;
  zip.addReadStreamLazy(name, { mtime, compress }, (give) => {
    const given = unread;
    unread = undefined;
    give(null, given as Readable);
  });
  await read;
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
