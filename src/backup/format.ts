/**
 * The version of the format. A backup is gzip over JSON lines and blocks of bytes: the header; for each
 * table a head, its rows as COPY text in blocks with their length before them, and the number of rows;
 * for each content of a file the same, with its bytes; then the trailer, with the SHA-256 of everything
 * before it. Format 1 had no contents.
 */
export const FORMAT = 2;

/** The formats that this release reads. */
export const READABLE: ReadonlySet<number> = new Set([1, FORMAT]);

export interface Header {
  readonly frontdeskBackup: number;
  /** The release that wrote it. */
  readonly product: string;
  readonly takenAt: string;
  /** `server_version_num`. */
  readonly postgres: number;
  /** The applied migrations, in order. */
  readonly migrations: readonly string[];
  /** A text encrypted with the key of the installation, base64: to recognise the right key. */
  readonly keyCheck: string | null;
  /** The owner of all rows; absent in a backup of a whole installation. */
  readonly subAccount?: SubAccountHead;
}

export interface SubAccountHead {
  readonly id: string;
  readonly name: string;
  /** When it was closed. */
  readonly deletedAt: string | null;
}

export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Begins a content: `count` at its end is the number of its bytes. */
export interface FileHead {
  /** The id of the content. */
  readonly file: string;
  /** Its sub-account. */
  readonly of: string;
}

/** The contents of files in a backup. */
export interface FileTotals {
  readonly count: number;
  readonly bytes: number;
  /** Contents that the storage did not have. */
  readonly missing: number;
}

export const NO_FILES: FileTotals = { count: 0, bytes: 0, missing: 0 };

export interface SequenceState {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

export interface Trailer {
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly SequenceState[];
  /** Absent in format 1. */
  readonly files?: FileTotals;
  readonly sha256: string;
}

/** A line: `data` is followed by that many bytes, `count` ends a table. */
export type Line = Header | TableHead | FileHead | { data: number } | { count: number } | Trailer;

/** The largest value of PostgreSQL. */
export const BLOCK_MAX = 2 ** 30;

/** A part of a backup, in the order of the file. */
export type Piece =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly head: TableHead }
  | { readonly kind: 'file'; readonly head: FileHead }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'trailer'; readonly trailer: Trailer };
