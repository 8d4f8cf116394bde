import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from, to } from 'pg-copy-streams';
import { Fault } from '#core/fault.ts';
import { STAGED_JOBS } from '#platform/queue/private-tables.ts';
import { JOBS, listOf, quoted } from './catalogue.ts';
import type { TableHead, Trailer } from './format.ts';
import type { Pieces } from './read-backup.ts';

/** The columns of jobs in backups, in the order of `copyJobs`. */
export const JOB_COLUMNS = [
  'task',
  'queue',
  'payload',
  'priority',
  'run_at',
  'attempts',
  'max_attempts',
  'last_error',
  'created_at',
  'updated_at',
  'key',
  'flags',
] as const;

/**
 * Runs a COPY … TO STDOUT. Yields its bytes no faster than they are consumed, and returns the number of
 * rows.
 */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<Buffer, number> {
  const source = client.query(to(statement));
  let failure: Error | undefined;
  // Also for errors after the last byte, which the loop does not see.
  source.on('error', (error: Error) => {
    failure = error;
  });
  for await (const block of source) {
    yield block as Buffer;
  }
  // The stream ends before the server confirms the copy; the next query waits for that.
  await client.query('');
  if (failure) {
    throw failure;
  }
  return source.rowCount;
}

/** Copies the tables of a backup into those of `placeOf`. Throws a Fault if it has other tables. */
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
      const known = left.get(table);
      if (!known) {
        throw otherTables();
      }
      const into = table === JOBS ? STAGED_JOBS : placeOf(table);
      await copyTable(client, { table, columns, into }, known, pieces);
      left.delete(piece.head.table);
    } else if (piece?.kind === 'file') {
      await skipFile(pieces);
    } else if (piece?.kind !== 'header') {
      throw otherTables();
    }
  }
}

/** Contents are restored before the rows. */
async function skipFile(pieces: Pieces): Promise<void> {
  for (;;) {
    const { value: piece } = await pieces.next();
    if (piece?.kind !== 'data') {
      return;
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
  let written = 0;
  const blocks = async function* () {
    for (;;) {
      const { value: piece } = await pieces.next();
      if (piece?.kind === 'data') {
        yield piece.bytes;
      } else {
        written = piece?.kind === 'count' ? piece.count : -1;
        return;
      }
    }
  };
  const count = await copyIn(client, `copy ${into} (${listOf(columns)}) from stdin`, blocks());
  if (count !== written) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${table}: the backup names ${written} rows, but contains ${count}; nothing was written`,
    );
  }
}

/** Runs a COPY … FROM STDIN, reading `blocks` no faster than the server takes them. Returns its rows. */
export async function copyIn(
  client: Client,
  statement: string,
  blocks: AsyncIterable<Buffer>,
): Promise<number> {
  const target = client.query(from(statement));
  // A broken connection is reported again after the pipeline has ended.
  target.on('error', () => undefined);
  await pipeline(blocks, target);
  return target.rowCount;
}

const otherTables = () =>
  new Fault('VALIDATION_ERROR', 'the backup does not have the tables of this schema');
