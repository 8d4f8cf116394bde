import { once } from 'node:events';
import type { ClientBase, Connection } from 'pg';
import { rowsSaid } from './copy-out.ts';

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
