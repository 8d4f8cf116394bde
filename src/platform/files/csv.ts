import { reasonOf } from '../process/system-error.ts';
import { parse, type CsvError } from 'csv-parse';
import { Fault } from '#core/fault.ts';
import { slices } from '#lib/in-slices.ts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { stringify as stringifyNow } from 'csv-stringify/sync';
import { streamToFile } from './atomic-write.ts';
import { nameOfSource, statSource, streamSource, type SourceFile } from './source-file.ts';

const RECORD_MAX = 1_000_000;
const HEAD_BYTES = 65_536;
/** A chunk is parsed at once, while everything else waits. One of 256 KiB with the shortest rows took 9 s. */
const CHUNK_BYTES = 4_096;
/** csv-parse makes an error with a stack for each, which takes 25 to 100 µs. */
const WRONG_ROWS_MAX = 10_000;
const DELIMITERS = [',', ';', '\t'] as const;

/** A file that was checked to be a complete CSV in UTF-8. */
export interface CsvFile {
  readonly source: SourceFile;
  readonly sizeBytes: number;
  /** Below the header, without blank ones. */
  readonly rows: number;
  readonly delimiter: string;
}

export interface CsvRow {
  /** The line on which it begins, counted from 1, the header. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The part of the file that has been read, from 0 to 1. */
  readonly share: number;
}

/**
 * Checks a whole file, so that a broken one is rejected before its first rows are used. `onHeader` may
 * reject the header.
 */
export async function checkCsv(
  source: SourceFile,
  onHeader: (cells: readonly string[]) => void,
): Promise<CsvFile> {
  const path = nameOfSource(source);
  try {
    const found = await statSource(source);
    if (!found.isFile()) {
      throw refused(path, 'is not a file; it is read twice, so a pipe will not do');
    }
    const sizeBytes = found.size;
    const file = { source, sizeBytes, delimiter: await sniffDelimiter(source) };
    let lines = 0;
    for await (const { cells } of records(file, { isChecking: true })) {
      if (lines === 0) {
        onHeader(cells);
      }
      lines += 1;
    }
    if (lines === 0) {
      throw refused(path, 'is empty; its first line must name the columns');
    }
    return { ...file, rows: lines - 1 };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Yields the rows below the header, except blank ones. */
export async function* readCsv(file: CsvFile): AsyncGenerator<CsvRow> {
  let isHeader = true;
  for await (const row of records(file, { isChecking: false })) {
    if (!isHeader) {
      yield row;
    }
    isHeader = false;
  }
}

async function* records(
  { source: file, sizeBytes, delimiter }: Omit<CsvFile, 'rows'>,
  { isChecking }: { readonly isChecking: boolean },
): AsyncGenerator<CsvRow> {
  const path = nameOfSource(file);
  const source = streamSource(file, CHUNK_BYTES);
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  if (isChecking) {
    source.on('data', (chunk) => {
      isUtf8 &&= decodes(utf8, chunk as Buffer);
    });
  }
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: RECORD_MAX,
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  let line = 1;
  let width: number | undefined;
  let wrong = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      width ??= cells.length;
      wrong += cells.length === width ? 0 : 1;
      if (wrong > WRONG_ROWS_MAX) {
        throw refused(path, TOO_MANY_WRONG);
      }
      if (!isUtf8 && cells.some((cell) => cell.includes('\uFFFD'))) {
        throw refused(path, `is not in UTF-8: see line ${line}`);
      }
      if (cells.some((cell) => cell.trim() !== '')) {
        yield { line, cells, share: Math.min(source.bytesRead / sizeBytes, 1) };
      }
      line += linesOf(cells);
    }
  } catch (error) {
    throw isCsvError(error)
      ? refused(path, `line ${line}: ${WHY[error.code] ?? error.message}`)
      : error;
  } finally {
    source.destroy();
  }
  if (isChecking && !(isUtf8 && decodes(utf8))) {
    throw refused(path, 'is not in UTF-8');
  }
}

const TOO_MANY_WRONG = `has more than ${WRONG_ROWS_MAX} blank lines and rows with more or fewer cells than the first line`;

/** Called without a chunk, checks that the last one ended with a complete character. */
function decodes(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

const linesOf = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 1);

/** Returns the most frequent delimiter of the first line, outside of quotes. */
async function sniffDelimiter(source: SourceFile): Promise<string> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of streamSource(source, HEAD_BYTES)) {
    head = chunk as Buffer;
    break;
  }
  const unquoted = head.toString().replaceAll(/"[^"]*"?/g, '');
  const [header = ''] = unquoted.split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

const WHY: Readonly<Record<string, string | undefined>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote opens here and closes nowhere',
  CSV_MAX_RECORD_SIZE: 'the row that begins here is too long; a quote may be open',
};

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');

const refused = (path: string, why: string): Fault =>
  new Fault('VALIDATION_ERROR', `${path} ${why}`);

/** Turns an error of the file system into a Fault about the file. */
function unreadable(path: string, error: unknown): unknown {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall ? refused(path, `cannot be read: ${reasonOf(error)}`) : error;
}

type Rows = AsyncIterable<readonly string[]>;

/**
 * Writes a CSV to standard output at the pace of its reader; a reader that closes it is no failure. The
 * last line break is omitted: the command adds one to its output.
 */
export async function writeCsvOut(rows: Rows): Promise<void> {
  try {
    await pipeline(rows, stringify({ eof: false }), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
      throw error;
    }
  }
}

/** Returns a CSV as a stream of bytes, at the pace of its reader. Other work runs between its pieces. */
export const csvStream = (subAccountId: string, rows: Rows): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(piecesOf(subAccountId, rows)), BYTES) as never;

/** Nothing is read ahead of the reader. */
const BYTES = { strategy: { highWaterMark: 0 } };
const PIECE_ROWS = 100;

/** A stream of rows would pass each of them through three queues: ten exports blocked a process for seconds. */
async function* piecesOf(subAccountId: string, rows: Rows): AsyncGenerator<Buffer> {
  const slice = slices(subAccountId);
  let piece: (readonly string[])[] = [];
  for await (const row of rows) {
    piece.push(row);
    if (piece.length === PIECE_ROWS) {
      yield Buffer.from(stringifyNow(piece));
      piece = [];
      await slice();
    }
  }
  if (piece.length > 0) {
    yield Buffer.from(stringifyNow(piece));
  }
}

/** Writes a file atomically; only its owner may read it. Throws VALIDATION_ERROR if it cannot be written. */
export const writeCsvFile = (rows: Rows, path: string): Promise<void> =>
  streamToFile(path, (file) => pipeline(rows, stringify(), file));
