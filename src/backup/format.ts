/**
 * A backup is gzip over lines of JSON and blocks of bytes: the header, then of each table a head,
 * its rows as COPY writes them in blocks of a told length, and their number, then the trailer. All
 * that stands before the trailer is what its SHA-256 is of.
 */
export const FORMAT = 1;

export interface Header {
  readonly frontdeskBackup: number;
  /** The release that wrote it. */
  readonly product: string;
  readonly takenAt: string;
  /** `server_version_num`. */
  readonly postgres: number;
  /** The schema: names of all its steps, in order. */
  readonly migrations: readonly string[];
  /** Sealed under the key of the installation, base64: tells whether a key is the right one. */
  readonly keyCheck: string | null;
  /** Whose rows these are, where they are not all. */
  readonly subAccount?: SubAccountHead;
}

export interface SubAccountHead {
  readonly id: string;
  readonly name: string;
  /** Since when it was closed. */
  readonly deletedAt: string | null;
}

export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface SequenceState {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

export interface Trailer {
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly SequenceState[];
  readonly sha256: string;
}

/** What a line of JSON may be; `data` is followed by so many bytes, `rows` ends a table. */
export type Line = Header | TableHead | { data: number } | { count: number } | Trailer;

/** A value of 1 GB is PostgreSQL's own limit. */
export const BLOCK_MAX = 2 ** 30;

/** A part of a backup, in the order of the file. */
export type Piece =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly head: TableHead }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'trailer'; readonly trailer: Trailer };
