import { Fault } from '#core/fault.ts';
import { isScope, type Scope } from '#core/scope.ts';
import type { Secrets } from '#core/secrets.ts';
import { HOUR_MS } from '#lib/duration.ts';

/** How long a person may take to decide. */
const VALID_MS = HOUR_MS;
const PLACE = 'oauth/authorization-request';

/** The request of a program, after it was checked. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  readonly state?: string | undefined;
}

/** Returns the checked request as a text for the address of the consent page. */
export function sealRequest(secrets: Secrets, request: AuthorizationRequest, now: Date): string {
  const plain = JSON.stringify({ ...request, at: now.getTime() });
  return secrets.seal(plain, PLACE).toString('base64url');
}

/** Returns a sealed request. Throws VALIDATION_ERROR if it was altered, or sealed an hour ago. */
export function openRequest(secrets: Secrets, sealed: string, now: Date): AuthorizationRequest {
  const { at, ...request } = opened(secrets, sealed);
  if (now.getTime() - at >= VALID_MS) {
    throw expired();
  }
  return { ...request, scopes: request.scopes.filter(isScope) };
}

type Sealed = AuthorizationRequest & { readonly at: number };

function opened(secrets: Secrets, sealed: string): Sealed {
  try {
    return JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), PLACE)) as Sealed;
  } catch {
    throw expired();
  }
}

const expired = () =>
  new Fault('VALIDATION_ERROR', 'this request has expired; connect again from the program', {
    reason: 'request_expired',
  });

/**
 * Returns the address that gives the program its answer (RFC 6749, RFC 9207). `issuer` identifies this
 * authorization server: its public address.
 */
export function answerUrl(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer };
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.append(name, value);
  }
  return url.href;
}
