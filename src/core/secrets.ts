import type { KeyObject } from 'node:crypto';

/** Functions of the installation's secret key. */
export interface Secrets {
  /** Encrypts for storage at `place`: the result cannot be used in another place. */
  seal(plain: string, place: string): Buffer;
  /** Decrypts. Throws if the bytes were altered, moved, or sealed with another key. */
  open(sealed: Buffer, place: string): string;
  /** Returns a key for one purpose, the same in every process. */
  derive(purpose: string): KeyObject;
}

/** Staged rows of a sub-account that is being imported, such as `incoming_channels`. */
export interface IncomingRows {
  readonly secrets: Secrets;
  readonly rows: <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>;
}

/**
 * The sealed columns of a slice, and how to remove their secrets when a sub-account comes from an
 * installation with another key.
 */
export interface Sealed {
  /** Written as `table.column`. */
  readonly columns: readonly string[];
  /** Removes the secrets. Returns a line for each thing that no longer works. */
  readonly leaveOut: (incoming: IncomingRows) => Promise<readonly string[]>;
}

/** The `disabledReason` of a webhook subscription that came without its secret, until it is enabled. */
export const MOVED_WITHOUT_SECRET = 'moved without its signing secret';
