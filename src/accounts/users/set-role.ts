import { LockMode } from '@mikro-orm/core';
import type { Role } from '#core/role.ts';
import type { Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { loadSubAccount } from '../sub-accounts/sub-account.store.ts';
import { endLostGrants } from '../grants/granting-user.ts';
import { resetSignIn } from '../sign-in/end-sessions.ts';
import { Membership } from './membership.entity.ts';
import type { User } from './user.entity.ts';

/**
 * Gives the user a role in the work's sub-account, or takes it away. In a work of the agency, the role is
 * `owner` or null. Programs lose access that the user may no longer give.
 */
export async function setRole(work: Work, user: User, role: Role | null): Promise<void> {
  const { em, subAccountId, now } = work;
  await em.flush();
  await em.refresh(user, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (role !== null && user.vouchedBy !== null && user.vouchedBy !== subAccountId) {
    await resetSignIn(work, user);
  }
  if (subAccountId === AGENCY) {
    user.isOwner = role === 'owner';
    user.ownerByClaim = false;
    await endLostGrants(work, user.id);
    return;
  }
  if (role === 'owner') {
    throw new Error('an owner belongs to the installation, not to a sub-account');
  }
  await loadSubAccount(work);
  const of = { subAccountId, userId: user.id };
  const membership = await em.findOne(Membership, of);
  if (role === null) {
    await em.nativeDelete(Membership, of);
  } else if (membership) {
    em.assign(membership, { role, byClaim: false, givenRole: null, updatedAt: now });
  } else {
    work.retryOn('memberships_pkey');
    em.persist(em.create(Membership, { ...of, role, createdAt: now, updatedAt: now }));
  }
  await endLostGrants(work, user.id);
}
