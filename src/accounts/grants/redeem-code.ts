import { LockMode } from '@mikro-orm/core';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Work } from '#core/work.ts';
import { createKey } from '../keys/create-key.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { loadUserById } from '../users/user.store.ts';
import { grantToken } from './grant-token.ts';
import { mayGrant } from './granting-user.ts';
import { ACCESS_MS, REFRESH_MS, type IssuedTokens, type TokenRefusal } from './issued-tokens.ts';
import { OauthGrant } from './oauth-grant.entity.ts';
import { RefreshToken } from './refresh-token.entity.ts';

export interface CodeInput {
  readonly codeHash: string;
  readonly clientId: string;
  /** OAuth 2.1 does not require it; if it is given, it must be that of the request. */
  readonly redirectUri: string | undefined;
  readonly verifier: string;
}

/** Redeems a code, once: its second use revokes the grant. */
export async function redeemCode(
  work: Work,
  input: CodeInput,
): Promise<IssuedTokens | TokenRefusal> {
  const { em, subAccountId, now } = work;
  const [found] = await work.rows<{ userId: string }>(USER, [subAccountId, input.codeHash]);
  if (!found) {
    return { refused: UNKNOWN };
  }
  // What ends the access of a user locks the user first, too.
  await loadUserById(work, found.userId);
  const grant = await em.findOne(
    OauthGrant,
    { subAccountId, codeHash: input.codeHash },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!grant) {
    return { refused: UNKNOWN };
  }
  if (grant.redeemedAt) {
    await revokeKey(work, { keyId: grant.id });
    const reusedBy = { keyId: grant.id, clientId: input.clientId };
    return { refused: 'this code was used already: the access was revoked', reusedBy };
  }
  const refused = await refusalOf(work, grant, input);
  if (refused !== undefined) {
    return { refused };
  }
  grant.redeemedAt = now;
  const tokenExpiresAt = new Date(now.getTime() + ACCESS_MS);
  const { key } = await createKey(work, {
    name: grant.clientName,
    scopes: grant.scopes,
    agentPolicy: grant.agentPolicy,
    expiresAt: new Date(now.getTime() + REFRESH_MS),
    grant: { id: grant.id, tokenExpiresAt },
  });
  const refresh = grantToken('refresh', subAccountId);
  persistRefreshToken(work, grant.id, refresh.tokenHash);
  return {
    keyId: grant.id,
    accessToken: key,
    refreshToken: refresh.token,
    expiresAt: tokenExpiresAt,
    scopes: grant.scopes,
  };
}

const USER = `select user_id as "userId" from oauth_grants
  where sub_account_id = $1 and code_hash = $2`;

const UNKNOWN = 'this code is unknown or has expired';

async function refusalOf(
  work: Work,
  grant: OauthGrant,
  { clientId, redirectUri, verifier }: CodeInput,
): Promise<string | undefined> {
  if (grant.codeExpiresAt <= work.now) {
    return UNKNOWN;
  }
  if (grant.clientId !== clientId) {
    return 'this code was issued to another client';
  }
  if (redirectUri !== undefined && redirectUri !== grant.redirectUri) {
    return 'redirect_uri differs from that of the authorization request';
  }
  if (!isVerifier(verifier, grant.codeChallenge)) {
    return 'code_verifier does not fit the code_challenge';
  }
  return (await mayGrant(work, grant.userId, work.subAccountId))
    ? undefined
    : 'the user who allowed the access is no admin any more';
}

/** RFC 7636, S256. */
function isVerifier(verifier: string, challenge: string): boolean {
  const given = createHash('sha256').update(verifier).digest();
  const wanted = Buffer.from(challenge, 'base64url');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Stores a refresh token that was not used yet. */
export function persistRefreshToken(
  { em, subAccountId, now }: Work,
  grantId: string,
  tokenHash: string,
): void {
  const expiresAt = new Date(now.getTime() + REFRESH_MS);
  const token = { subAccountId, tokenHash, grantId, seed: null, usedAt: null };
  em.persist(em.create(RefreshToken, { ...token, issuedAt: now, expiresAt }));
}
