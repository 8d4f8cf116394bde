import { LockMode } from '@mikro-orm/core';
import { Fault, notFound } from '#core/fault.ts';
import { keyOf } from '#core/job.ts';
import type { MemberRole } from '#core/role.ts';
import type { Work } from '#core/work.ts';
import { roleChanged } from '#platform/http/session.ts';
import { ensureUser, INVITATION_MS } from './invite-user.ts';
import { issueLink } from '../sign-in/issue-link.ts';
import { Membership } from './membership.entity.ts';
import { setRole } from './set-role.ts';
import { lockWithCaller } from './user.store.ts';
import { User } from './user.entity.ts';
import { HOUR_MS, SECOND_MS } from '#lib/duration.ts';
import { mailInvitation, mayBeMailed } from '../sign-in/sign-in-mails.jobs.ts';

interface NewMember {
  readonly email: string;
  readonly name?: string | undefined;
  readonly role: MemberRole;
}

interface AddedMember {
  readonly user: User;
  /** The token of a sign-in link; null if the link could open more than this sub-account. */
  readonly token: string | null;
}

/**
 * Makes a person a member of the work's sub-account and mails them a sign-in link. The caller gets a
 * link, too, but only for a person who never signed in and has access to nothing else: an admin must
 * not be able to sign in as an owner, or as an admin of another sub-account.
 */
export async function addMember(
  work: Work,
  { email, name, role }: NewMember,
): Promise<AddedMember> {
  const user = await ensureUser(work, email, name);
  requireNoOwner(user);
  // It locks the user: of two sub-accounts that invite them at once, the second one gets no link.
  await setRole(work, user, role);
  return { user, token: await sendLink(work, user) };
}

/**
 * Sends a member a new sign-in link by mail, and returns it as for an invitation. Throws NOT_FOUND, and
 * VALIDATION_ERROR for a disabled user, and RATE_LIMITED after too many mails in an hour.
 */
export async function relinkMember(work: Work, userId: string): Promise<AddedMember> {
  const user = await loadMember(work, userId);
  if (user.disabledAt) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${user.email} is disabled: an owner must enable them first`,
    );
  }
  if (!(await mayBeMailed(work, user))) {
    const message = `${user.email} got too many links by mail in the last hour; try again later`;
    throw new Fault('RATE_LIMITED', message, undefined, { 'retry-after': String(HOUR_S) });
  }
  return { user, token: await sendLink(work, user) };
}

const HOUR_S = HOUR_MS / SECOND_MS;

/** Mails a sign-in link. Returns the token of a second link; null if the caller must not see it. */
async function sendLink(work: Work, user: User): Promise<string | null> {
  const { em, subAccountId } = work;
  const elsewhere = await em.count(Membership, {
    userId: user.id,
    subAccountId: { $ne: subAccountId },
  });
  work.audit(user.id);
  // Repeated calls share a mail that is not sent yet.
  const payload = { userId: user.id, subAccountId };
  work.enqueue(mailInvitation, payload, { key: keyOf(mailInvitation, payload) });
  const isOursAlone = user.lastSignInAt === null && elsewhere === 0 && !user.disabledAt;
  if (!isOursAlone) {
    return null;
  }
  user.vouchedBy = subAccountId;
  return issueLink(work, user.id, INVITATION_MS, { opens: subAccountId }).token;
}

interface MemberChange {
  readonly userId: string;
  /** Null removes the member. */
  readonly role: MemberRole | null;
  readonly callerId: string;
}

/** Changes the role of a member. Throws NOT_FOUND, and FORBIDDEN if the caller is no admin or owner now. */
export async function changeMember(
  work: Work,
  { userId, role, callerId }: MemberChange,
): Promise<void> {
  const caller = await lockWithCaller(work, userId, callerId);
  const isAdmin = caller?.isOwner || (caller && (await isAdminHere(work, callerId)));
  if (!isAdmin) {
    throw roleChanged();
  }
  const user = await loadMember(work, userId);
  await setRole(work, user, role);
  work.audit(userId);
}

const isAdminHere = async ({ em, subAccountId }: Work, userId: string): Promise<boolean> =>
  (await em.count(Membership, { subAccountId, userId, role: 'admin' })) > 0;

async function loadMember({ em, subAccountId }: Work, userId: string): Promise<User> {
  const user = await em.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (user?.isOwner) {
    requireNoOwner(user);
  }
  const membership = user && (await em.findOne(Membership, { subAccountId, userId }));
  if (!user || !membership) {
    throw notFound('user');
  }
  return user;
}

function requireNoOwner({ email, isOwner }: User): void {
  if (isOwner) {
    throw new Fault(
      'FORBIDDEN',
      `${email} is an owner of the installation; change owners with frontdesk admin user role`,
    );
  }
}
