import type { Work } from '#core/work.ts';
import { endLostGrants } from '../grants/granting-user.ts';
import { Passkey } from './passkey.entity.ts';
import { SignInLink } from './sign-in-link.entity.ts';
import { UserSession } from './user-session.entity.ts';
import type { User } from '../users/user.entity.ts';

/** Signs a user out everywhere; links that were not used yet stop working, too. */
export async function endSessions({ em, now }: Work, userId: string): Promise<void> {
  await em.nativeDelete(UserSession, { userId });
  await em.nativeUpdate(SignInLink, { userId, usedAt: null }, { usedAt: now });
}

/**
 * Signs a user out everywhere and removes their passkeys, before they get access to more than the
 * sub-account whose admin was shown a link: that admin may have signed in with it as this user.
 */
export async function resetSignIn(work: Work, user: User): Promise<void> {
  await endSessions(work, user.id);
  await work.em.nativeDelete(Passkey, { userId: user.id });
  user.vouchedBy = null;
}

interface OwnSession {
  readonly sessionId: string;
  readonly user: { readonly id: string };
}

/** Signs a user out in one browser. */
export async function endSession(work: Work, { sessionId, user }: OwnSession): Promise<void> {
  await work.em.nativeDelete(UserSession, { id: sessionId });
  work.audit(user.id);
}

/** Disables a user: signs them out everywhere, refuses every sign-in, and ends what they allowed programs. */
export async function disableUser(work: Work, user: User): Promise<void> {
  user.disabledAt ??= work.now;
  user.updatedAt = work.now;
  await endSessions(work, user.id);
  await endLostGrants(work, user.id);
}

export function enableUser(work: Work, user: User): void {
  user.disabledAt = null;
  user.updatedAt = work.now;
}
