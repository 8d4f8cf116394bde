import type { Secrets } from '#core/secrets.ts';
import type { Actor, Transact, View } from '#core/work.ts';
import { findGrant } from '../../accounts/grants/find-grant.ts';
import { readGrantToken } from '../../accounts/grants/grant-token.ts';
import type { IssuedTokens, TokenRefusal } from '../../accounts/grants/issued-tokens.ts';
import { redeemCode } from '../../accounts/grants/redeem-code.ts';
import { refreshGrant } from '../../accounts/grants/refresh-grant.ts';
import { revokeKey } from '../../accounts/keys/revoke-key.ts';
import type { Logger } from '#platform/config/logger.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { isOurResource } from './metadata.ts';

export interface TokenDeps {
  readonly transact: Transact;
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly clock: () => Date;
  readonly secrets: Secrets;
  readonly baseUrl: () => string;
  readonly log: Logger;
}

/** An error of RFC 6749, section 5.2. */
export interface TokenError {
  readonly error: string;
  readonly error_description: string;
}

/** A form of a client, and the request that carried it. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly requestId: string;
}

export const tokenError = (error: string, description: string): TokenError => ({
  error,
  error_description: description,
});

/** Answers `POST /oauth/token`. */
export async function answerToken(
  deps: TokenDeps,
  { form, requestId }: TokenRequest,
): Promise<object | TokenError> {
  const issue = formIssue(form) ?? clientIssue(form);
  if (issue) {
    return issue;
  }
  const grantType = form.get('grant_type');
  if (grantType === null) {
    return tokenError('invalid_request', 'grant_type is required');
  }
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    const allowed = 'grant_type must be authorization_code or refresh_token';
    return tokenError('unsupported_grant_type', allowed);
  }
  if (!isOurResource(form.getAll('resource'), deps.baseUrl())) {
    return tokenError('invalid_target', 'resource must be the address of /mcp on this server');
  }
  const outcome = await (grantType === 'refresh_token' ? refresh : redeem)(deps, form, requestId);
  if ('error' in outcome) {
    return outcome;
  }
  if ('invalidScope' in outcome) {
    return tokenError('invalid_scope', outcome.invalidScope);
  }
  if ('refused' in outcome) {
    if (outcome.reusedBy) {
      deps.log.warn(outcome.reusedBy, 'a code or refresh token was used twice: its key is revoked');
    }
    return tokenError('invalid_grant', outcome.refused);
  }
  const { accessToken, refreshToken, expiresAt, scopes } = outcome;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt.getTime() - deps.clock().getTime()) / SECOND_MS),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}

type Outcome = IssuedTokens | TokenRefusal | TokenError | { readonly invalidScope: string };

async function redeem(
  { transact }: TokenDeps,
  form: URLSearchParams,
  requestId: string,
): Promise<Outcome> {
  const missing = missingOf(form, ['code', 'code_verifier']);
  if (missing) {
    return missing;
  }
  const code = readGrantToken('code', form.get('code') ?? '');
  if (!code) {
    return { refused: 'this code is unknown or has expired' };
  }
  const input = {
    codeHash: code.tokenHash,
    clientId: form.get('client_id') ?? '',
    redirectUri: form.get('redirect_uri') ?? undefined,
    verifier: form.get('code_verifier') ?? '',
  };
  const actor = actorOf(requestId, 'oauth.redeem');
  return transact<IssuedTokens | TokenRefusal>(code.subAccountId, actor, (work) =>
    redeemCode(work, input),
  );
}

async function refresh(
  { transact, secrets }: TokenDeps,
  form: URLSearchParams,
  requestId: string,
): Promise<Outcome> {
  const missing = missingOf(form, ['refresh_token']);
  if (missing) {
    return missing;
  }
  const token = form.get('refresh_token') ?? '';
  const read = readGrantToken('refresh', token);
  if (!read) {
    return { refused: 'this refresh token is unknown or has expired' };
  }
  const { subAccountId, tokenHash } = read;
  const clientId = form.get('client_id') ?? '';
  const scopes = form.get('scope')?.split(' ').filter(Boolean);
  const actor = actorOf(requestId, 'oauth.refresh');
  return transact<Outcome>(subAccountId, actor, (work) =>
    refreshGrant(work, { secrets, token, tokenHash, clientId, scopes }),
  );
}

/** Answers `POST /oauth/revoke` (RFC 7009): either token ends the grant. */
export async function answerRevoke(
  { transact, openView, clock }: TokenDeps,
  { form, requestId }: TokenRequest,
): Promise<object | TokenError> {
  const issue = formIssue(form) ?? clientIssue(form) ?? missingOf(form, ['token']);
  if (issue) {
    return issue;
  }
  const found = await findGrant(openView, form.get('token') ?? '', clock());
  if (found && found.clientId !== form.get('client_id')) {
    return tokenError('invalid_grant', 'this token was issued to another client');
  }
  if (found) {
    const actor = actorOf(requestId, 'oauth.revoke');
    await transact(found.subAccountId, actor, (work) => revokeKey(work, { keyId: found.id }));
  }
  return {};
}

const actorOf = (requestId: string, operation: string): Actor => ({
  kind: 'visitor',
  name: 'public',
  requestId,
  operation,
});

function formIssue(form: URLSearchParams): TokenError | undefined {
  const names = [...form.keys()].filter((name) => name !== 'resource');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined
    ? undefined
    : tokenError('invalid_request', `${twice.slice(0, 50)} is given more than once`);
}

/** All clients are public: a secret would be trusted for nothing. */
function clientIssue(form: URLSearchParams): TokenError | undefined {
  return ['client_secret', 'client_assertion'].some((name) => form.has(name))
    ? tokenError('invalid_client', 'clients have no secret here: send client_id alone')
    : missingOf(form, ['client_id']);
}

function missingOf(form: URLSearchParams, names: readonly string[]): TokenError | undefined {
  const missing = names.find((name) => !form.get(name));
  return missing === undefined
    ? undefined
    : tokenError('invalid_request', `${missing} is required`);
}
