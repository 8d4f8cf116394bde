import type { Database } from '../database/database.ts';

/** The table, as notices of its changes name it. */
export const PAUSE_TABLE = 'holding';

export interface Pause {
  /** Since when no worker does anything; null while they work. */
  readonly heldSince: Date | null;
  readonly reason: string | null;
  /** How often workers were told to go on. */
  readonly releases: number;
}

export async function readPause({ rows }: Pick<Database, 'rows'>): Promise<Pause> {
  const [row] = await rows<Pause>(
    'select held_since as "heldSince", reason, releases from holding',
  );
  if (!row) {
    throw new Error('the row of holding is gone');
  }
  return row;
}

/** Whoever holds first says why. */
export const PAUSE = `update holding set held_since = coalesce(held_since, now()),
  reason = coalesce(reason, $1)`;

export const RESUME = `update holding set held_since = null, reason = null,
  releases = releases + 1`;
