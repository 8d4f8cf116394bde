import { LockMode } from '@mikro-orm/core';
import { rolesOfClaims, type Claims, type ClaimRole, type OpenIdResult } from '#core/open-id.ts';
import { coversRole, type MemberRole } from '#core/role.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work } from '#core/work.ts';
import { endLostGrants } from '../grants/granting-user.ts';
import { resetSignIn } from './end-sessions.ts';
import { ensureUser } from '../users/invite-user.ts';
import { Membership } from '../users/membership.entity.ts';
import { User } from '../users/user.entity.ts';
import { normalEmail } from '../users/user.store.ts';

/**
 * Returns the user that the claims of an OpenID provider name, with the roles that they grant. A person
 * without a role from a claim must be a user already.
 */
export async function signInWithClaims(
  work: Work,
  claims: Claims,
  rules: readonly ClaimRole[],
): Promise<OpenIdResult<{ readonly user: User }>> {
  const email = verifiedEmail(claims);
  if (email === undefined) {
    return { refused: 'unverified' };
  }
  const granted = rolesOfClaims(claims, rules);
  const known = await work.em.findOne(User, { email });
  if (known?.disabledAt) {
    return { refused: 'disabled' };
  }
  if (!known && granted.length === 0) {
    return { refused: 'unknown' };
  }
  const user = await ensureUser(work, email, nameOf(claims));
  await work.em.refresh(user, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (user.disabledAt) {
    return { refused: 'disabled' };
  }
  const { vouchedBy } = user;
  if (vouchedBy !== null && granted.some(({ subAccountId }) => subAccountId !== vouchedBy)) {
    await resetSignIn(work, user);
  }
  applyOwner(user, granted);
  await applyMemberships(work, user, granted);
  await endLostGrants(work, user.id);
  return { user };
}

/** Some providers write the boolean as a text. */
function verifiedEmail({ email, email_verified: verified }: Claims): string | undefined {
  const isVerified = verified === true || verified === 'true';
  const isAddress = typeof email === 'string' && FORMATS['email']?.test(email.trim());
  return isVerified && isAddress ? normalEmail(email) : undefined;
}

const NAME_MAX = 200;

const nameOf = ({ name }: Claims): string | undefined =>
  typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, NAME_MAX) : undefined;

/** Only what a claim gave is taken away: an owner of the command line stays one. */
function applyOwner(user: User, granted: readonly ClaimRole[]): void {
  const isGranted = granted.some(({ role }) => role === 'owner');
  if (isGranted && !user.isOwner) {
    user.isOwner = true;
    user.ownerByClaim = true;
  } else if (!isGranted && user.ownerByClaim) {
    user.isOwner = false;
    user.ownerByClaim = false;
  }
}

/** Of a claim's role and a person's, the more powerful counts. What a person gave outlives the claim. */
async function applyMemberships(
  work: Work,
  user: User,
  granted: readonly ClaimRole[],
): Promise<void> {
  const { em, now } = work;
  const roles = await liveRoles(work, granted);
  const memberships = await em.find(Membership, { userId: user.id });
  for (const membership of memberships) {
    const { subAccountId } = membership;
    const claimed = roles.get(subAccountId);
    const given = membership.byClaim ? membership.givenRole : membership.role;
    if (claimed && !(given && coversRole(given, claimed))) {
      em.assign(membership, { role: claimed, byClaim: true, givenRole: given, updatedAt: now });
    } else if (given) {
      em.assign(membership, { role: given, byClaim: false, givenRole: null, updatedAt: now });
    } else {
      await em.nativeDelete(Membership, { subAccountId, userId: user.id });
    }
    roles.delete(subAccountId);
  }
  for (const [subAccountId, role] of roles) {
    work.retryOn('memberships_pkey');
    const of = { subAccountId, userId: user.id, role, byClaim: true };
    em.persist(em.create(Membership, { ...of, createdAt: now, updatedAt: now }));
  }
}

/** Returns the most powerful role per sub-account, of those that exist. */
async function liveRoles(
  work: Work,
  granted: readonly ClaimRole[],
): Promise<Map<string, MemberRole>> {
  const ids = granted.flatMap(({ subAccountId }) => subAccountId ?? []);
  const live = await work.rows<{ id: string }>(
    'select id from sub_accounts where id = any($1::uuid[]) and deleted_at is null',
    [ids],
  );
  const isLive = new Set(live.map(({ id }) => id));
  const roles = new Map<string, MemberRole>();
  for (const { role, subAccountId } of granted) {
    const known = roles.get(subAccountId ?? '');
    if (role !== 'owner' && subAccountId !== undefined && isLive.has(subAccountId)) {
      roles.set(subAccountId, known && coversRole(known, role) ? known : role);
    }
  }
  return roles;
}
