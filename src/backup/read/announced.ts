import { Altered } from '../explain.ts';
import {
  BLOCK_MAX,
  FORMAT,
  type Header,
  type Piece,
  type TableHead,
  type Trailer,
} from '../format.ts';

/** What a line says; of a block, how long it is. */
type Announced =
  | Exclude<Piece, { kind: 'data' }>
  | { readonly kind: 'data'; readonly bytes: number };

/** Throws Altered for a line that no writer makes: whoever reads on may rely on its shape. */
export function announced(line: unknown): Announced {
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

const isTrailer = ({ rows, sequences, sha256 }: Line): boolean =>
  typeof sha256 === 'string' &&
  isRecord(rows) &&
  Object.values(rows).every(isCount) &&
  Array.isArray(sequences) &&
  sequences.every(isSequence);

const isSequence = (state: unknown): boolean =>
  isRecord(state) &&
  typeof state['name'] === 'string' &&
  /^\d{1,19}$/.test(String(state['value'])) &&
  typeof state['isCalled'] === 'boolean';

/** Of another format no more is known than that, and who wrote it. */
const isHeader = (line: Line): boolean =>
  isCount(line['frontdeskBackup']) &&
  typeof line['product'] === 'string' &&
  (line['frontdeskBackup'] !== FORMAT || isHeaderOfOurs(line));

const isHeaderOfOurs = (line: Line): boolean =>
  isCount(line['postgres']) &&
  typeof line['takenAt'] === 'string' &&
  isTexts(line['migrations']) &&
  isTextOrNull(line['keyCheck']) &&
  (line['subAccount'] === undefined || isSubAccount(line['subAccount']));

const isSubAccount = (head: unknown): boolean =>
  isRecord(head) &&
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(head['id'])) &&
  typeof head['name'] === 'string' &&
  isTextOrNull(head['deletedAt']);

const isRecord = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
