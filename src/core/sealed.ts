import type { Secrets } from './secrets.ts';

/** Rows of a sub-account that comes in, before they are where they belong: `incoming_channels`. */
export interface IncomingRows {
  readonly secrets: Secrets;
  readonly rows: <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>;
}

/**
 * Where a slice keeps what is sealed under the key of the installation, and what is left of it where a
 * sub-account comes from an installation that has another.
 */
export interface Sealed {
  /** As `table.column`. */
  readonly columns: readonly string[];
  /** Takes the secrets out; answers a line for each thing that does not work without its own. */
  readonly leaveOut: (incoming: IncomingRows) => Promise<readonly string[]>;
}
