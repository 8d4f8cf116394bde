import { isGranted, type MemberAccess } from '#core/endpoint/console-endpoint.ts';
import type { Role } from '#core/role.ts';
import type { Work } from '#core/work.ts';
import { requireOpen, SubAccountClosed } from '../sub-accounts/sub-account.store.ts';

/** The user who started a long job may no longer do what it does. */
class AccessLost extends Error {
  constructor(email: string) {
    super(`${email} lost the access that this needs`);
  }
}

/**
 * Throws an error that `endsJob` knows if the work's sub-account was closed, or if the user with this
 * email address lost the access: each part of a long job that a user started calls it first.
 */
export async function requireAccess(
  work: Work,
  email: string,
  access: MemberAccess,
): Promise<void> {
  await requireOpen(work);
  const [user] = await work.rows<{ role: Role }>(ROLE, [work.subAccountId, email]);
  if (!user || !isGranted(user.role, access)) {
    throw new AccessLost(email);
  }
}

/** Whether a long job must not go on: its sub-account was closed, or its user lost the access. */
export const endsJob = (error: unknown): error is Error =>
  error instanceof SubAccountClosed || error instanceof AccessLost;

const ROLE = `select case when u.is_owner then 'owner' else m.role end as role
  from users u left join memberships m on m.user_id = u.id and m.sub_account_id = $1
  where u.email = $2 and u.disabled_at is null and (u.is_owner or m.role is not null)`;
