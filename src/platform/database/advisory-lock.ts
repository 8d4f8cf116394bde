import type { Work } from '#core/work.ts';

/**
 * Locks names that may have no row yet, until the work ends. They are sorted, so that two works never
 * wait for each other.
 */
export async function lockTexts(work: Pick<Work, 'rows'>, ...texts: string[]): Promise<void> {
  await work.rows(LOCK, [texts.toSorted()]);
}

const LOCK = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`;
