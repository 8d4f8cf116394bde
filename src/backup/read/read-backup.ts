import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Fault } from '#core/fault.ts';
import { byteReader, CutOff } from './byte-reader.ts';
import { Altered, mapBackupError } from '../explain.ts';
import type { Piece, Trailer } from '../format.ts';
import { announced } from './announced.ts';

export type Pieces = AsyncGenerator<Piece, void>;

/** Told from time to time how much of the file was read, from 0 to 1. */
export type OnRead = (share: number) => void;

/** Reads a backup from its beginning; throws a Fault where it is none, is cut off or was altered. */
export async function* readBackup(file: string, onRead: OnRead = () => undefined): Pieces {
  try {
    yield* piecesOf(file, onRead);
  } catch (error) {
    throw mapBackupError(file, error);
  }
}

type Kind = Piece['kind'];

/** What may come next; an order that the writer never makes is nobody's backup. */
const NEXT: Readonly<Record<Kind | 'start', readonly Kind[]>> = {
  start: ['header'],
  header: ['table', 'trailer'],
  table: ['data', 'count'],
  data: ['data', 'count'],
  count: ['table', 'trailer'],
  trailer: [],
};

async function* piecesOf(file: string, onRead: OnRead): Pieces {
  const found = await stat(file);
  if (found.isFIFO() || found.isCharacterDevice() || found.isSocket()) {
    throw new Fault('VALIDATION_ERROR', `${file} is no file, and a backup is read twice`);
  }
  const source = createReadStream(file);
  const unzipped = pipeline(source, createGunzip(), () => undefined);
  const reader = byteReader(unzipped);
  const hash = createHash('sha256');
  let before: Kind | 'start' = 'start';
  while (before !== 'trailer') {
    const text = await reader.line();
    if (text === undefined) {
      throw new CutOff();
    }
    const piece = announced(JSON.parse(text));
    onRead(Math.min(1, source.bytesRead / found.size));
    if (!NEXT[before].includes(piece.kind)) {
      throw new Altered();
    }
    before = piece.kind;
    if (piece.kind === 'trailer') {
      await requireEnd(piece.trailer, hash.digest('hex'), () => reader.line());
      yield piece;
    } else {
      hash.update(`${text}\n`);
      if (piece.kind === 'data') {
        const bytes = await reader.bytes(piece.bytes);
        hash.update(bytes);
        yield { kind: 'data', bytes };
      } else {
        yield piece;
      }
    }
  }
}

async function requireEnd(
  { sha256 }: Trailer,
  digest: string,
  more: () => Promise<string | undefined>,
): Promise<void> {
  if (sha256 !== digest || (await more()) !== undefined) {
    throw new Altered();
  }
}
