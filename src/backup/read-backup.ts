import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault } from '#core/fault.ts';
import {
  nameOfSource,
  statSource,
  streamSource,
  type SourceFile,
} from '#platform/files/source-file.ts';
import { AGENCY, isId } from '#lib/id.ts';
import { Altered, CutOff, mapBackupError } from './explain.ts';
import {
  BLOCK_MAX,
  READABLE,
  type FileHead,
  type Piece,
  type Trailer,
  type Header,
  type TableHead,
} from './format.ts';

export type Pieces = AsyncGenerator<Piece, void>;

/** Called with the share of the file that was read, from 0 to 1. */
export type OnRead = (share: number) => void;

interface ReadOptions {
  readonly onRead?: OnRead | undefined;
}

/** Reads a backup from its beginning. Throws a Fault if it is no backup, is cut off or was altered. */
export const readBackup = (
  file: SourceFile,
  { onRead = () => undefined }: ReadOptions = {},
): Pieces => explained(nameOfSource(file), () => piecesOfFile(file, onRead));

/** Like `readBackup`, for a stream that is read once. `name` stands for it in messages. */
export const readBackupStream = (name: string, stream: Readable): Pieces =>
  explained(name, () => piecesOf(stream, () => undefined));

async function* explained(name: string, read: () => Pieces): Pieces {
  try {
    yield* read();
  } catch (error) {
    throw mapBackupError(name, error);
  }
}

type Kind = Piece['kind'];

/** The piece that may follow each piece. */
const NEXT: Readonly<Record<Kind | 'start', readonly Kind[]>> = {
  start: ['header'],
  header: ['table', 'trailer'],
  table: ['data', 'count'],
  data: ['data', 'count'],
  file: ['data', 'count'],
  count: ['table', 'file', 'trailer'],
  trailer: [],
};

async function* piecesOfFile(file: SourceFile, onRead: OnRead): Pieces {
  const found = await statSource(file);
  if (found.isFIFO() || found.isCharacterDevice() || found.isSocket()) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${nameOfSource(file)} is a pipe or device; a backup is read twice, so copy it to a file first`,
    );
  }
  const source = streamSource(file);
  yield* piecesOf(source, () => onRead(Math.min(1, source.bytesRead / found.size)));
}

/** Blocks are passed on in these pieces: COPY takes longer for smaller ones. */
const UNZIPPED = 64 * 1_024;

async function* piecesOf(source: Readable, onPiece: () => void): Pieces {
  const unzipped = pipeline(source, createGunzip({ chunkSize: UNZIPPED }), () => undefined);
  const reader = byteReader(unzipped);
  const hash = createHash('sha256');
  let before: Kind | 'start' = 'start';
  let owner: string | undefined;
  while (before !== 'trailer') {
    const text = await reader.line();
    if (text === undefined) {
      throw new CutOff();
    }
    const piece = announced(JSON.parse(text));
    onPiece();
    if (!NEXT[before].includes(piece.kind) || isContentOfOther(piece, owner)) {
      throw new Altered();
    }
    owner = piece.kind === 'header' ? piece.header.subAccount?.id : owner;
    before = piece.kind;
    if (piece.kind === 'trailer') {
      await requireEnd(piece.trailer, hash.digest('hex'), () => reader.line());
      yield piece;
    } else {
      hash.update(`${text}\n`);
      if (piece.kind === 'data') {
        for await (const bytes of reader.bytes(piece.bytes)) {
          hash.update(bytes);
          yield { kind: 'data', bytes };
        }
      } else {
        yield piece;
      }
    }
  }
}

/** Whether the piece is the content of another sub-account than the only one in the file. */
const isContentOfOther = (piece: Announced, owner: string | undefined): boolean =>
  piece.kind === 'file' && owner !== undefined && piece.head.of !== owner;

async function requireEnd(
  { sha256 }: Trailer,
  digest: string,
  more: () => Promise<string | undefined>,
): Promise<void> {
  if (sha256 !== digest || (await more()) !== undefined) {
    throw new Altered();
  }
}

/** A line of the file; a block is announced by its length. */
type Announced =
  | Exclude<Piece, { kind: 'data' }>
  | { readonly kind: 'data'; readonly bytes: number };

/** Parses a line. Throws Altered if it has another shape than the writer gives it. */
function announced(line: unknown): Announced {
  if (isRecord(line)) {
    if (isCount(line['data']) && line['data'] > 0 && line['data'] <= BLOCK_MAX) {
      return { kind: 'data', bytes: line['data'] };
    }
    if (isCount(line['count'])) {
      return { kind: 'count', count: line['count'] };
    }
    if (typeof line['table'] === 'string' && isTexts(line['columns'])) {
      return { kind: 'table', head: line as unknown as TableHead };
    }
    if (isFileHead(line)) {
      return { kind: 'file', head: line as unknown as FileHead };
    }
    if (isTrailer(line)) {
      return { kind: 'trailer', trailer: line as unknown as Trailer };
    }
    if (isHeader(line)) {
      return { kind: 'header', header: line as unknown as Header };
    }
  }
  throw new Altered();
}

type Line = Readonly<Record<string, unknown>>;

const isTrailer = ({ rows, sequences, files, sha256 }: Line): boolean =>
  typeof sha256 === 'string' &&
  isRecord(rows) &&
  Object.values(rows).every(isCount) &&
  Array.isArray(sequences) &&
  sequences.every(isSequence) &&
  (files === undefined || isTotals(files));

const isTotals = (files: unknown): boolean =>
  isRecord(files) && [files['count'], files['bytes'], files['missing']].every(isCount);

const isFileHead = ({ file, of }: Line): boolean => isId(String(file)) && isId(String(of));

const isSequence = (state: unknown): boolean =>
  isRecord(state) &&
  typeof state['name'] === 'string' &&
  /^\d{1,19}$/.test(String(state['value'])) &&
  typeof state['isCalled'] === 'boolean';

/** A header of another format is recognised by its version and product. */
const isHeader = (line: Line): boolean =>
  isCount(line['frontdeskBackup']) &&
  typeof line['product'] === 'string' &&
  (!READABLE.has(line['frontdeskBackup']) || isHeaderOfThisFormat(line));

const isHeaderOfThisFormat = (line: Line): boolean =>
  isCount(line['postgres']) &&
  typeof line['takenAt'] === 'string' &&
  isTexts(line['migrations']) &&
  isTextOrNull(line['keyCheck']) &&
  (line['subAccount'] === undefined || isSubAccount(line['subAccount']));

/** The id of the installation is none of a sub-account: an import would replace the installation's rows. */
const isSubAccount = (head: unknown): boolean =>
  isRecord(head) &&
  isId(String(head['id'])) &&
  head['id'] !== AGENCY &&
  typeof head['name'] === 'string' &&
  isTextOrNull(head['deletedAt']);

const isRecord = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

interface ByteReader {
  /** Returns the next line, or undefined at the end. Throws CutOff for an incomplete line. */
  line(): Promise<string | undefined>;
  /** Yields the next `count` bytes in pieces, as they arrive. Throws CutOff if there are fewer. */
  bytes(count: number): AsyncGenerator<Buffer, void>;
}

const LINE_MAX = 2 ** 20;
const NEWLINE = 0x0a;

/** Reads a stream by lines and byte counts. */
export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let buffered: Buffer[] = [];
  let size = 0;

  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done) {
      return false;
    }
    buffered.push(value);
    size += value.length;
    return true;
  };
  const whole = (): Buffer => {
    const joined = buffered.length === 1 ? (buffered[0] as Buffer) : Buffer.concat(buffered, size);
    buffered = [joined];
    return joined;
  };
  const take = (count: number, skip = 0): Buffer => {
    const joined = whole();
    buffered = [joined.subarray(count + skip)];
    size -= count + skip;
    return joined.subarray(0, count);
  };
  return {
    async line() {
      for (;;) {
        const end = whole().indexOf(NEWLINE);
        if (end >= 0) {
          return take(end, 1).toString();
        }
        if (size > LINE_MAX || !(await more())) {
          if (size === 0) {
            return undefined;
          }
          throw new CutOff();
        }
      }
    },
    async *bytes(count) {
      for (let left = count; left > 0;) {
        if (size === 0 && !(await more())) {
          throw new CutOff();
        }
        const piece = take(Math.min(size, left));
        left -= piece.length;
        yield piece;
      }
    },
  };
}
