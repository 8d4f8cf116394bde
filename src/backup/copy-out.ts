import { once } from 'node:events';
import type { ClientBase, Connection } from 'pg';

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
export function copyIn(
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
