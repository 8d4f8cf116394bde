import { createHash, type Hash } from 'node:crypto';
import type { Client } from 'pg';
import type { FileStore } from '#core/files.ts';
import { copyJobs, JOB_OWNER } from '#platform/queue/private-tables.ts';
import { JOBS, listOf, movingOf, ownerOf, quoted, sequencesOf, tablesOf } from './catalogue.ts';
import { copyOut, JOB_COLUMNS } from './copy.ts';
import { contentsOf, type FileContent } from './files.ts';
import type { FileTotals, Header, Line, TableHead, Trailer } from './format.ts';
import type { Ask } from './session.ts';

export interface PiecesInput {
  /** Where the contents of files are. */
  readonly files: FileStore;
  /** Called before each table with the rows so far and the share of finished tables. */
  readonly onProgress?: (rows: number, share: number) => void;
}

/** Yields the lines and rows of a backup of the snapshot of `client`, and returns its trailer. */
export async function* snapshotPieces(
  client: Client,
  ask: Ask,
  header: Header,
  { onProgress, files }: PiecesInput,
): AsyncGenerator<Buffer, Trailer> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let sum = 0;
  yield hashed(hash, lineOf(header));
  const tables = await tablesOf(ask);
  const parts = partsOf(tables, header.subAccount?.id);
  for (const [index, { head, statement }] of parts.entries()) {
    onProgress?.(sum, index / parts.length);
    yield hashed(hash, lineOf(head));
    const blocks = copyOut(client, statement);
    let block = await blocks.next();
    for (; !block.done; block = await blocks.next()) {
      yield hashed(hash, lineOf({ data: block.value.length }));
      yield hashed(hash, block.value);
    }
    rows[head.table] = block.value;
    sum += block.value;
    yield hashed(hash, lineOf({ count: block.value }));
  }
  const totals = yield* filePieces(hash, contentsOf(ask, files, tables, header.subAccount?.id));
  const sequences = await sequencesOf(ask);
  const trailer = { rows, sequences, files: totals, sha256: hash.digest('hex') };
  yield lineOf(trailer);
  return trailer;
}

async function* filePieces(
  hash: Hash,
  contents: AsyncGenerator<FileContent, FileTotals>,
): AsyncGenerator<Buffer, FileTotals> {
  let next = await contents.next();
  for (; !next.done; next = await contents.next()) {
    const { head, bytes } = next.value;
    yield hashed(hash, lineOf(head));
    if (bytes.length > 0) {
      yield hashed(hash, lineOf({ data: bytes.length }));
      yield hashed(hash, bytes);
    }
    yield hashed(hash, lineOf({ count: bytes.length }));
  }
  return next.value;
}

function partsOf(tables: readonly TableHead[], subAccountId: string | undefined) {
  const chosen = subAccountId === undefined ? tables : movingOf(tables);
  // COPY takes no parameters; an id from the database consists of hex digits and dashes.
  const only = (owner: string) =>
    subAccountId === undefined ? 'true' : `${owner} = '${subAccountId}'`;
  return [
    ...chosen.map((head) => ({
      head,
      statement:
        subAccountId === undefined ? copyAll(head) : copySome(head, only(ownerOf(head.table))),
    })),
    { head: { table: JOBS, columns: JOB_COLUMNS }, statement: copyJobs(only(JOB_OWNER)) },
  ];
}

const copyAll = ({ table, columns }: TableHead) =>
  `copy ${quoted(table)} (${listOf(columns)}) to stdout`;

const copySome = ({ table, columns }: TableHead, condition: string) =>
  `copy (select ${listOf(columns)} from ${quoted(table)} where ${condition}) to stdout`;

const lineOf = (line: Line): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

function hashed(hash: Hash, bytes: Buffer): Buffer {
  hash.update(bytes);
  return bytes;
}
