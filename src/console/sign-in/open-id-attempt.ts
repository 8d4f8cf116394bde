import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OpenIdAttempt } from '#core/open-id.ts';
import type { Secrets } from '#core/secrets.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { AGENCY, newId, timeDigits } from '#lib/id.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';
import type { Headers } from '#platform/http/response.ts';
import { browserCookie, readBrowserCookie } from '#platform/http/session.ts';

/** How long a person has to sign in at the provider. */
const VALID_MS = 10 * MINUTE_MS;
const MS_PER_SECOND = 1_000;
const COOKIE = 'frontdesk_openid';
const CONTEXT = 'sign-in';
const CALLBACK_PATH = '/console/oidc/callback';

interface AttemptDeps {
  readonly secrets: Secrets;
  readonly baseUrl: string;
}

/**
 * Begins a sign-in. The browser keeps one signed token; state, nonce and code verifier are derived from
 * it, so that nothing is stored and a response is accepted only in the browser that asked for it.
 */
export function newAttempt(
  { secrets, baseUrl }: AttemptDeps,
  now: Date,
): { readonly attempt: OpenIdAttempt; readonly headers: Headers } {
  const subject = { subAccountId: AGENCY, id: newId(now) };
  const token = signToken(secrets.derive('open-id'), subject, CONTEXT);
  const headers = browserCookie(baseUrl, COOKIE, token, VALID_MS / MS_PER_SECOND);
  return { attempt: attemptOf(secrets, baseUrl, token), headers };
}

/** Returns the sign-in that this browser began in the last 10 minutes. */
export function readAttempt(
  { secrets, baseUrl }: AttemptDeps,
  node: IncomingMessage,
  now: Date,
): OpenIdAttempt | undefined {
  const token = readBrowserCookie(node, baseUrl, COOKIE) ?? '';
  const signed = verifyToken(secrets.derive('open-id'), token, CONTEXT);
  const oldest = timeDigits(new Date(now.getTime() - VALID_MS));
  const isFresh = signed !== undefined && signed.id.replaceAll('-', '').slice(0, 12) > oldest;
  return isFresh ? attemptOf(secrets, baseUrl, token) : undefined;
}

function attemptOf(secrets: Secrets, baseUrl: string, token: string): OpenIdAttempt {
  const derived = (name: string): string =>
    createHmac('sha256', secrets.derive('open-id')).update(`${name}:${token}`).digest('base64url');
  return {
    redirectUri: `${baseUrl.replace(/\/$/, '')}${CALLBACK_PATH}`,
    state: derived('state'),
    nonce: derived('nonce'),
    verifier: derived('verifier'),
  };
}
