import { Query, type ClientBase, type QueryConfig } from 'pg';
import { serialize } from 'pg-protocol';
import { Parser } from 'pg-protocol/dist/parser.js';
import type { WireRow } from '#core/schema/wire-row.ts';

/**
 * pg decodes each column of each row as it arrives, which takes longer than the rest of a list. Here a
 * message is decoded when its `fields` are read, and `readWireRows` copies the bytes of rows instead.
 * Methods that are not documented are replaced, hence the pinned versions of pg and pg-protocol.
 */
interface PacketParser {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { fields?: unknown };
}

/** A row. Its bytes are those of the connection: the next packet changes them. */
interface RowMessage {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly length: number;
}

const parser = Parser.prototype as unknown as PacketParser;
const parsePacket = parser.handlePacket;

/** The messages that are decoded late: rows, and the descriptions of their columns. */
const LATE: Readonly<Record<number, string>> = {
  ['D'.charCodeAt(0)]: 'dataRow',
  ['T'.charCodeAt(0)]: 'rowDescription',
};

parser.handlePacket = function handlePacket(offset, code, length, bytes) {
  const name = LATE[code];
  if (name === undefined) {
    return parsePacket.call(this, offset, code, length, bytes);
  }
  const decode = () => parsePacket.call(this, offset, code, length, bytes).fields;
  return {
    name,
    offset,
    length,
    bytes,
    get fields() {
      return decode();
    },
  };
};

/** Which rows are read. */
interface Limit {
  /** Of all rows together; the first row may have more. */
  readonly bytesMax: number;
  /** Called before the rest of the rows is left unread: the connection cannot be used again. */
  readonly onLeave?: (() => void) | undefined;
}

interface WireRows {
  readonly rows: WireRow[];
  /** Rows beyond the limit were left out. */
  readonly isCut: boolean;
}

/**
 * Runs a query and returns its rows as PostgreSQL sent them. Those beyond the limit are not waited for
 * with `onLeave`, and otherwise read without being kept.
 */
export async function readWireRows(
  client: ClientBase,
  config: QueryConfig,
  { bytesMax, onLeave }: Limit = { bytesMax: Infinity },
): Promise<WireRows> {
  const rows: WireRow[] = [];
  const keep = keeperOf(rows);
  let bytes = 0;
  let isCut = false;
  try {
    await new Promise<void>((resolve, reject) => {
      const query = new Query(config, (error) => (error ? reject(error) : resolve()));
      const handleDataRow = (message: RowMessage) => {
        bytes += message.length;
        if (bytes <= bytesMax || rows.length === 0) {
          keep(message);
        } else if (!isCut) {
          isCut = true;
          if (onLeave) {
            onLeave();
            resolve();
          }
        }
      };
      client.query(Object.assign(query, { prepare: sendAtOnce, handleDataRow }));
    });
    return { rows, isCut };
  } catch (error) {
    // The stack would lead to the socket; as for queries of pg, it leads to the caller.
    if (error instanceof Error) {
      Error.captureStackTrace(error);
    }
    throw error;
  }
}

/** What pg's query uses of a connection to run a statement with parameters. */
interface StatementConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): unknown };
  readonly parsedStatements: object;
  readonly submittedNamedStatements: object;
}

const { prepare } = Query.prototype as unknown as {
  prepare(this: Query, connection: object): void;
};

/**
 * Sends the messages of a statement in one piece: pg writes each of them. The columns are not asked for,
 * since the reader of the rows knows them. Together that halves the cost of reading one record.
 */
function sendAtOnce(this: Query, connection: StatementConnection): void {
  const { stream, parsedStatements, submittedNamedStatements } = connection;
  const messages: Buffer[] = [];
  const add = (message: Buffer) => void messages.push(message);
  prepare.call(this, {
    parsedStatements,
    submittedNamedStatements,
    parse: (options: Parameters<typeof serialize.parse>[0]) => add(serialize.parse(options)),
    bind: (options: Parameters<typeof serialize.bind>[0]) => add(serialize.bind(options)),
    describe: () => {},
    execute: (options: Parameters<typeof serialize.execute>[0]) => add(serialize.execute(options)),
    close: (options: Parameters<typeof serialize.close>[0]) => add(serialize.close(options)),
    sync: () => add(serialize.sync()),
  });
  if (stream.writable) {
    stream.write(Buffer.concat(messages));
  }
}

/** The length of a message counts its own bytes; in a row, the number of columns follows. */
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
/** Rows after the first share buffers of this size. */
const CHUNK_BYTES = 16_384;

/** Returns a function that adds a copy of a row. */
function keeperOf(rows: WireRow[]): (message: RowMessage) => void {
  let chunk = Buffer.alloc(0);
  let used = 0;
  return ({ bytes, offset, length }) => {
    const from = offset + COUNT_BYTES;
    const size = length - LENGTH_BYTES - COUNT_BYTES;
    if (used + size > chunk.length) {
      chunk = Buffer.allocUnsafe(Math.max(size, rows.length === 0 ? 0 : CHUNK_BYTES));
      used = 0;
    }
    const start = used;
    used += bytes.copy(chunk, start, from, from + size);
    rows.push({ bytes: chunk, start, end: used });
  };
}
