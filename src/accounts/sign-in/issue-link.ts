import { MINUTE_MS } from '#lib/duration.ts';
import type { Work } from '#core/work.ts';
import { newSecretToken } from './secret-token.ts';
import { SignInLink, type LinkPurpose } from './sign-in-link.entity.ts';

/** How long a link works that is not an invitation. */
export const LINK_MS = 15 * MINUTE_MS;

/** A sign-in link; its token is not stored and cannot be shown again. */
export interface IssuedLink {
  readonly token: string;
  readonly expiresAt: Date;
}

interface LinkOptions {
  readonly purpose?: LinkPurpose;
  /** The sub-account that the console opens after the sign-in. */
  readonly opens?: string | undefined;
}

/** Issues a link that signs a user in, once, for so many milliseconds. */
export function issueLink(
  work: Work,
  userId: string,
  validMs: number,
  { purpose = 'shown', opens }: LinkOptions = {},
): IssuedLink {
  const { em, now } = work;
  const { token, tokenHash } = newSecretToken();
  const expiresAt = new Date(now.getTime() + validMs);
  const times = { createdAt: now, expiresAt, usedAt: null };
  const link = { tokenHash, userId, purpose, opens: opens ?? null, ...times };
  em.persist(em.create(SignInLink, link));
  return { token, expiresAt };
}

/** Returns the address of a link. Servers and logs never see the token: it follows a `#`. */
export const linkOf = (baseUrl: string, token: string): string =>
  `${baseUrl}/console/sign-in#${token}`;
