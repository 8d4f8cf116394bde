import type { Database } from '../database/database.ts';
import type { Work } from '#core/work.ts';

/** The table whose changes are announced. */
export const PAUSE_TABLE = 'holding';

export interface Pause {
  /** When the workers were paused; null while they run. */
  readonly heldSince: Date | null;
  readonly reason: string | null;
  /** How often the workers were resumed. */
  readonly releases: number;
}

export async function readPause({ rows }: Pick<Database, 'rows'>): Promise<Pause> {
  const [row] = await rows<Pause>(
    'select held_since as "heldSince", reason, releases from holding',
  );
  if (!row) {
    throw new Error('the table holding has no row');
  }
  return row;
}

/** The first reason wins. */
export const PAUSE = `update holding set held_since = coalesce(held_since, now()),
  reason = coalesce(reason, $1)`;

/** After a restore, the earlier reason is that of data which is gone. */
export const PAUSE_RESTORED = `update holding set held_since = coalesce(held_since, now()),
  reason = $1`;

export const RESUME = `update holding set held_since = null, reason = null,
  releases = releases + 1`;

/** The record id of all workers in audit entries. */
const WORKERS = 'workers';

/** Resumes paused workers, including those started with `--hold`. */
export async function releaseWork(work: Work): Promise<void> {
  work.write(RESUME, []);
  work.audit(WORKERS);
}
