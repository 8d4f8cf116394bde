import type { Work } from '#core/work.ts';

/**
 * Locks contacts against deletion and merging until the work is done. Returns the live contact for
 * each id: itself, or the one that it was merged into. Deleted and unknown ones are missing.
 */
export async function lockCurrentContacts(
  work: Work,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const current = new Map<string, string>();
  let left = [...new Set(ids)];
  while (left.length > 0) {
    const found = await work.rows<Named>(RESOLVE, [work.subAccountId, left]);
    const wanted = [...new Set(found.map(({ currentId }) => currentId))];
    const locked = wanted.length === 0 ? [] : await lockLive(work, wanted);
    for (const { id, currentId } of found.filter((one) => locked.includes(one.currentId))) {
      current.set(id, currentId);
    }
    // A contact that was merged while its lock was waited for is resolved again.
    const missed = found.filter(({ id }) => !current.has(id));
    left = await stillMerging(work, missed);
  }
  return current;
}

interface Named {
  readonly id: string;
  readonly currentId: string;
}

const RESOLVE = `select id, coalesce(merged_into, id) as "currentId" from contacts
  where sub_account_id = $1 and id = any($2::uuid[])`;

async function lockLive(work: Work, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await work.rows<{ id: string }>(LOCK, [work.subAccountId, ids]);
  return rows.map(({ id }) => id);
}

/** In the order in which merges lock contacts. */
const LOCK = `select id from contacts
  where sub_account_id = $1 and id = any($2::uuid[]) and deleted_at is null
  order by id for key share`;

/** Those of which a merge has changed the contact since it was resolved; the others are deleted. */
async function stillMerging(work: Work, missed: readonly Named[]): Promise<string[]> {
  if (missed.length === 0) {
    return [];
  }
  const ids = missed.map(({ id }) => id);
  const now = await work.rows<Named>(RESOLVE, [work.subAccountId, ids]);
  const before = new Map(missed.map(({ id, currentId }) => [id, currentId]));
  return now.flatMap(({ id, currentId }) => (before.get(id) === currentId ? [] : [id]));
}
