import { LockMode } from '@mikro-orm/core';
import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { newSecretToken, tokenHashOf } from './secret-token.ts';
import { SignInLink } from './sign-in-link.entity.ts';
import { UserSession } from './user-session.entity.ts';
import { User } from '../users/user.entity.ts';

interface RedeemedLink {
  readonly user: User;
  /** The sub-account to open, if the link names one. */
  readonly opens: string | null;
}

/** Returns the user of a sign-in link, which works once. Throws UNAUTHORIZED. */
export async function redeemLink(work: Work, token: string): Promise<RedeemedLink> {
  const { em, now } = work;
  const tokenHash = tokenHashOf(token);
  const link = await em.findOne(SignInLink, { tokenHash });
  // What ends links and sessions together locks the user, too.
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const user = link && (await em.findOne(User, { id: link.userId }, { lockMode }));
  // Only one of several calls at the same time changes the row.
  const isUsable = { tokenHash, usedAt: null, expiresAt: { $gt: now } };
  const used = user ? await em.nativeUpdate(SignInLink, isUsable, { usedAt: now }) : 0;
  if (!user || used === 0 || user.disabledAt) {
    throw new Fault(
      'UNAUTHORIZED',
      'this sign-in link was used already or has expired; request a new one',
    );
  }
  return { user, opens: link.opens ?? null };
}

/** Signs a user in and ends the browser's previous session. Returns the token of the new one. */
export async function startSession(
  work: Work,
  user: User,
  previousToken: string | undefined,
): Promise<string> {
  const { em, now } = work;
  if (previousToken !== undefined) {
    await em.nativeDelete(UserSession, { tokenHash: tokenHashOf(previousToken) });
  }
  const { token, tokenHash } = newSecretToken();
  const times = { createdAt: now, verifiedAt: now, lastSeenAt: now };
  em.persist(em.create(UserSession, { id: newId(now), tokenHash, userId: user.id, ...times }));
  user.lastSignInAt = now;
  work.audit(user.id);
  return token;
}
