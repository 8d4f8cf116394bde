import type { Database } from './database.ts';

/** The table, as notices of its changes name it. */
export const HOLDING = 'holding';

export interface Holding {
  /** Since when no worker does anything; null while they work. */
  readonly heldSince: Date | null;
  readonly reason: string | null;
  /** How often workers were told to go on. */
  readonly releases: number;
}

export async function readHolding({ rows }: Pick<Database, 'rows'>): Promise<Holding> {
  const [row] = await rows<Holding>(
    'select held_since as "heldSince", reason, releases from holding',
  );
  if (!row) {
    throw new Error('the row of holding is gone');
  }
  return row;
}

/** Whoever holds first says why. */
export const HOLD = `update holding set held_since = coalesce(held_since, now()),
  reason = coalesce(reason, $1)`;

export const RELEASE = `update holding set held_since = null, reason = null,
  releases = releases + 1`;
