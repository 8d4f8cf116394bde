import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { byteReader, CutOff } from './byte-reader.ts';
import { Altered, explained } from './explain.ts';
import { BLOCK_MAX, type Header, type Line, type TableHead, type Trailer } from './format.ts';

type Piece =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly head: TableHead }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'trailer'; readonly trailer: Trailer };

export type Pieces = AsyncGenerator<Piece, void>;

/** Reads a backup from its beginning; throws a Fault where it is none, is cut off or was altered. */
export async function* readBackup(file: string): Pieces {
  try {
    yield* piecesOf(file);
  } catch (error) {
    throw explained(file, error);
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

async function* piecesOf(file: string): Pieces {
  const unzipped = pipeline(createReadStream(file), createGunzip(), () => undefined);
  const reader = byteReader(unzipped);
  const hash = createHash('sha256');
  let before: Kind | 'start' = 'start';
  while (before !== 'trailer') {
    const text = await reader.line();
    if (text === undefined) {
      throw new CutOff();
    }
    const piece = pieceOf(JSON.parse(text) as Line);
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

type Announced =
  | Exclude<Piece, { kind: 'data' }>
  | { readonly kind: 'data'; readonly bytes: number };

function pieceOf(line: Line): Announced {
  if (
    'data' in line &&
    Number.isSafeInteger(line.data) &&
    line.data > 0 &&
    line.data <= BLOCK_MAX
  ) {
    return { kind: 'data', bytes: line.data };
  }
  if ('count' in line) {
    return { kind: 'count', count: line.count };
  }
  if ('table' in line) {
    return { kind: 'table', head: line };
  }
  if ('sha256' in line) {
    return { kind: 'trailer', trailer: line };
  }
  if ('frontdeskBackup' in line) {
    return { kind: 'header', header: line };
  }
  throw new Altered();
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
