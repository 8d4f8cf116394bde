import type { Work } from '#core/work.ts';
import type { Once } from './verify-call.ts';

/** False where the very call was taken in before. */
export async function countOnce(
  work: Work,
  { ids: [id, ...others], isKept, expiresAt }: Once,
): Promise<boolean> {
  const { subAccountId, now } = work;
  if (!isKept) {
    return (await work.rows(KNOWN, [subAccountId, id, now])).length === 0;
  }
  work.write(PRUNE, [subAccountId, now]);
  const [kept] = await work.rows(KEEP, [subAccountId, id, expiresAt, now]);
  if (kept && others.length > 0) {
    await work.rows(KEEP, [subAccountId, others[0], expiresAt, now]);
  }
  return kept !== undefined;
}

const KNOWN = `select id from workflow_calls
  where sub_account_id = $1 and id = $2 and expires_at > $3`;

/** One that has expired counts as new. */
const KEEP = `insert into workflow_calls as c (sub_account_id, id, expires_at) values ($1, $2, $3)
  on conflict (sub_account_id, id) do update set expires_at = excluded.expires_at
  where c.expires_at <= $4
  returning id`;

/** Not those of a minute ago, which this work may be writing anew. */
const PRUNE = `delete from workflow_calls
  where sub_account_id = $1 and expires_at < $2::timestamptz - interval '1 hour'`;
