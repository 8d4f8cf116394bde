import type { View, Work } from '#core/work.ts';
import { keyNarrowed } from '../keys/key.events.ts';

/** Returns whether the user may still give programs access to the sub-account. */
export async function mayGrant(view: View, userId: string, subAccountId: string): Promise<boolean> {
  const rows = await view.rows(
    `select 1 from users u join sub_accounts s on s.id = $2 and s.deleted_at is null
     where u.id = $1 and ${MAY_GRANT('$1', '$2')}`,
    [userId, subAccountId],
  );
  return rows.length > 0;
}

/**
 * Revokes the keys that the user gave to programs in sub-accounts of which they are no admin or owner
 * now. They stay revoked if the user gets the role back.
 */
export async function endLostGrants(work: Work, userId: string): Promise<void> {
  await work.em.flush();
  const lost = await work.rows<{ id: string; subAccountId: string }>(LOST, [userId]);
  const revoked = await work.rows<{ id: string }>(REVOKE, [lost.map(({ id }) => id), work.now]);
  for (const { id } of revoked) {
    work.audit(id);
    await work.emit(keyNarrowed, { contactId: null, data: { keyId: id } });
  }
  // Codes that were not redeemed yet.
  for (const { id, subAccountId } of lost) {
    await work.rows(EXPIRE_CODE, [subAccountId, id, work.now]);
  }
}

/** SQL about user `u`. */
const MAY_GRANT = (
  user: string,
  subAccount: string,
) => `u.disabled_at is null and (u.is_owner or exists (
  select from memberships m
  where m.user_id = ${user} and m.sub_account_id = ${subAccount} and m.role = 'admin'))`;

const LOST = `select g.id, g.sub_account_id as "subAccountId"
  from oauth_grants g join users u on u.id = g.user_id
  where g.user_id = $1 and not (${MAY_GRANT('g.user_id', 'g.sub_account_id')})`;

const REVOKE = `update api_keys set revoked_at = $2
  where id = any($1::uuid[]) and revoked_at is null returning id`;

const EXPIRE_CODE = `update oauth_grants set code_expires_at = least(code_expires_at, $3)
  where sub_account_id = $1 and id = $2 and redeemed_at is null`;
