import type { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import { JOBS, listOf, quoted } from './catalogue.ts';
import { copyIn } from './copy-out.ts';
import type { TableHead, Trailer } from './format.ts';
import { JOB_COLUMNS, STAGED_JOBS } from '#platform/queue/private-tables.ts';
import type { Pieces } from './read/read-backup.ts';

/** Copies each table of a backup into the one that stands for it; throws where they are not the same. */
export async function copyTables(
  client: Client,
  tables: readonly TableHead[],
  pieces: Pieces,
  placeOf: (table: string) => string = quoted,
): Promise<Trailer> {
  const left = new Map(tables.map(({ table, columns }) => [table, columns]));
  left.set(JOBS, JOB_COLUMNS);
  for (;;) {
    const { value: piece } = await pieces.next();
    if (piece?.kind === 'trailer' && left.size === 0) {
      await pieces.next();
      return piece.trailer;
    }
    if (piece?.kind === 'table') {
      const { table, columns } = piece.head;
      const known = left.get(table) ?? [];
      const into = table === JOBS ? STAGED_JOBS : placeOf(table);
      await copyTable(client, { table, columns, into }, known, pieces);
      left.delete(piece.head.table);
    } else if (piece?.kind !== 'header') {
      throw otherTables();
    }
  }
}

async function copyTable(
  client: Client,
  { table, columns, into }: TableHead & { readonly into: string },
  known: readonly string[],
  pieces: Pieces,
): Promise<void> {
  const isSame = columns.length === known.length && columns.every((name) => known.includes(name));
  if (!isSame) {
    throw otherTables();
  }
  const statement = `copy ${into} (${listOf(columns)}) from stdin`;
  let told = 0;
  const rows = async function* () {
    for (;;) {
      const { value: piece } = await pieces.next();
      if (piece?.kind === 'data') {
        yield piece.bytes;
      } else {
        told = piece?.kind === 'count' ? piece.count : -1;
        return;
      }
    }
  };
  const count = await copyIn(client, statement, rows());
  if (count !== told) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${count} rows of ${table} came in, and ${told} had gone out; nothing was written`,
    );
  }
}

const otherTables = () =>
  new Fault('VALIDATION_ERROR', 'the backup does not have the tables of this schema');
