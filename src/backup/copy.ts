import type { Client, ClientBase, Connection } from 'pg';
import { once } from 'node:events';
import { Fault } from '#core/fault.ts';
import { JOB_COLUMNS, STAGED_JOBS } from '#platform/queue/private-tables.ts';
import { JOBS, listOf, quoted } from './catalogue.ts';
import type { TableHead, Trailer } from './format.ts';
import type { Pieces } from './read-backup.ts';

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

const BLOCK = 256 * 1_024;
/** Blocks that may wait for the reader before the database is asked to wait. */
const WAITING_MAX = 4;

/** Runs a COPY … TO STDOUT; yields what it says in blocks, as fast as they are taken, returns its rows. */
export async function* copyOut(
  client: ClientBase,
  statement: string,
): AsyncGenerator<Buffer, number> {
  const flow: Flow = { waiting: [], wake: () => undefined };
  client.query(copying(statement, flow));
  for (;;) {
    const next = flow.waiting.shift();
    if (flow.failure) {
      throw flow.failure;
    }
    if (next) {
      yield next;
    } else if (flow.rows === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      flow.wake = resolve;
      flow.source?.resume();
      await promise;
    } else {
      return flow.rows;
    }
  }
}

/** Between the connection, which says when something is there, and the reader. */
interface Flow {
  readonly waiting: Buffer[];
  source?: Connection['stream'];
  wake: () => void;
  rows?: number;
  failure?: Error;
}

/** What `pg` hands the messages of a COPY to. */
function copying(statement: string, flow: Flow) {
  const blocks = openBlocks((block) => {
    flow.waiting.push(block);
    flow.wake();
    if (flow.waiting.length > WAITING_MAX) {
      flow.source?.pause();
    }
  });
  return {
    submit(connection: Connection) {
      flow.source = connection.stream;
      connection.query(statement);
    },
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => blocks.add(chunk),
    handleCommandComplete({ text }: { readonly text: string }) {
      blocks.flush();
      flow.rows = rowsSaid(text);
    },
    handleReadyForQuery: () => flow.wake(),
    handleError(error: Error) {
      flow.failure = error;
      flow.wake();
    },
  };
}

/** A row a message, from the connection; put together, since each block costs the reader some work. */
function openBlocks(say: (block: Buffer) => void) {
  let block = Buffer.allocUnsafe(BLOCK);
  let filled = 0;
  const flush = () => {
    if (filled > 0) {
      say(block.subarray(0, filled));
      block = Buffer.allocUnsafe(BLOCK);
      filled = 0;
    }
  };
  return {
    flush,
    add(chunk: Buffer) {
      if (filled + chunk.length > BLOCK) {
        flush();
      }
      // Copied in either case, for the connection writes over what it has handed on.
      if (chunk.length > BLOCK) {
        say(Buffer.from(chunk));
      } else {
        filled += chunk.copy(block, filled);
      }
    },
  };
}

/** Of `COPY 12`. */
const rowsSaid = (text: string): number => Number(text.split(' ').at(-1));

/** The part of a connection that copying needs and its types leave out. */
interface Copying extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Runs a COPY … FROM STDIN on what `source` says, no faster than it is taken; answers its rows. */
function copyIn(
  client: ClientBase,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const refused = new AbortController();
  let rows = 0;
  const pour = async (connection: Copying) => {
    try {
      for await (const block of source) {
        refused.signal.throwIfAborted();
        connection.sendCopyFromChunk(block);
        if (connection.stream.writableNeedDrain) {
          await once(connection.stream, 'drain', refused);
        }
      }
      connection.endCopyFrom();
    } catch (error) {
      reject(error);
      connection.sendCopyFail('the source failed');
    }
  };
  client.query({
    submit: (connection: Connection) => connection.query(statement),
    handleCopyInResponse: (connection: Copying) => void pour(connection),
    handleCommandComplete({ text }: { text: string }) {
      rows = rowsSaid(text);
    },
    handleReadyForQuery: () => resolve(rows),
    handleError(error: Error) {
      reject(error);
      refused.abort(error);
    },
  });
  return promise;
}
