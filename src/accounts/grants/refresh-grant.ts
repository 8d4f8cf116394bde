import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { ApiKey } from '../keys/api-key.entity.ts';
import { loadKey } from '../keys/api-key.store.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { newSeed, successorsOf } from './grant-token.ts';
import { mayGrant } from './granting-user.ts';
import { ACCESS_MS, REFRESH_MS, type IssuedTokens, type TokenRefusal } from './issued-tokens.ts';
import { OauthGrant } from './oauth-grant.entity.ts';
import { persistRefreshToken } from './redeem-code.ts';
import { RefreshToken } from './refresh-token.entity.ts';

/** How long a client that lost the response may send its refresh token again. */
const REPEAT_MS = MINUTE_MS;

export interface RefreshInput {
  readonly secrets: Secrets;
  readonly token: string;
  readonly tokenHash: string;
  readonly clientId: string;
  /** The scopes that the client asks for; they must be granted already. */
  readonly scopes: readonly string[] | undefined;
}

const UNKNOWN = 'this refresh token is unknown or has expired';

/**
 * Replaces a refresh token and the access token of its grant. Within a minute, and as long as the next
 * refresh token was not used, a repeat returns the same tokens again; later it revokes the grant.
 */
export async function refreshGrant(
  work: Work,
  input: RefreshInput,
): Promise<IssuedTokens | TokenRefusal | { readonly invalidScope: string }> {
  const { em, subAccountId, now } = work;
  const { tokenHash, clientId } = input;
  const [found] = await work.rows<{ grantId: string }>(FIND, [subAccountId, tokenHash]);
  if (!found) {
    return { refused: UNKNOWN };
  }
  // The lock on the key makes refreshes of one grant run one after another.
  const key = await loadKey(work, found.grantId);
  const grant = await em.findOneOrFail(OauthGrant, { subAccountId, id: key.id });
  const used = await em.findOneOrFail(RefreshToken, { subAccountId, tokenHash });
  if (grant.clientId !== clientId) {
    return { refused: 'this refresh token was issued to another client' };
  }
  if (used.expiresAt <= now || key.stateAt(now) !== 'active') {
    return { refused: UNKNOWN };
  }
  if (!(await mayGrant(work, grant.userId, subAccountId))) {
    await revokeKey(work, { keyId: key.id });
    return { refused: 'the user who allowed the access is no admin any more' };
  }
  const more = input.scopes?.filter((name) => !key.scopes.some((one) => one === name)) ?? [];
  if (more.length > 0) {
    return { invalidScope: `${more.join(' ')} was not granted` };
  }
  return used.usedAt === null
    ? rotate(work, key, used, input)
    : repeat(work, key, used as UsedToken, input);
}

const FIND = `select grant_id as "grantId" from oauth_refresh_tokens
  where sub_account_id = $1 and token_hash = $2`;

function rotate(
  work: Work,
  key: ApiKey,
  used: RefreshToken,
  { secrets, token }: RefreshInput,
): IssuedTokens {
  const { subAccountId, now } = work;
  const seed = newSeed();
  Object.assign(used, { usedAt: now, seed });
  const { access, refresh } = successorsOf(secrets, { subAccountId, kind: key.kind, token, seed });
  // Calls that are under way keep their access token until it ends by itself.
  key.previousHash = key.hash;
  key.previousExpiresAt = key.tokenExpiresAt;
  key.hash = access.hash;
  key.prefix = access.prefix;
  key.tokenExpiresAt = new Date(now.getTime() + ACCESS_MS);
  key.expiresAt = new Date(now.getTime() + REFRESH_MS);
  persistRefreshToken(work, key.id, refresh.tokenHash);
  return issued(key, access.key, refresh.token);
}

type UsedToken = RefreshToken & { readonly usedAt: Date };

async function repeat(
  work: Work,
  key: ApiKey,
  { usedAt, seed }: UsedToken,
  { secrets, token, clientId }: RefreshInput,
): Promise<IssuedTokens | TokenRefusal> {
  const { em, subAccountId, now } = work;
  if (seed && now.getTime() - usedAt.getTime() < REPEAT_MS) {
    const kind = key.kind;
    const { access, refresh } = successorsOf(secrets, { subAccountId, kind, token, seed });
    const of = { subAccountId, tokenHash: refresh.tokenHash };
    const next = await em.findOne(RefreshToken, of);
    if (next?.usedAt === null && key.hash === access.hash) {
      return issued(key, access.key, refresh.token);
    }
  }
  await revokeKey(work, { keyId: key.id });
  const reusedBy = { keyId: key.id, clientId };
  return { refused: 'this refresh token was used already: the access was revoked', reusedBy };
}

const issued = (key: ApiKey, accessToken: string, refreshToken: string): IssuedTokens => ({
  keyId: key.id,
  accessToken,
  refreshToken,
  expiresAt: key.tokenExpiresAt ?? new Date(0),
  scopes: key.scopes,
});
