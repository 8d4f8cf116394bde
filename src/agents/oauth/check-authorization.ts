import { isScope, SCOPES } from '#core/scope.ts';
import {
  answerUrl,
  type AuthorizationRequest,
} from '../../accounts/grants/authorization-request.ts';
import type { FetchClient } from './client-document.ts';
import { isOurResource } from './metadata.ts';
import { isRegistered, redirectTarget } from '../../accounts/grants/redirect-uri.ts';

/**
 * What follows from an authorization request: a decision of the user, an error for the program on the
 * user's device, or an error for the user. The user may take it to the program at `backTo`, unless that
 * address is not known to be the program's.
 */
export type CheckedAuthorization =
  | { readonly request: AuthorizationRequest }
  | { readonly redirect: string }
  | { readonly refused: string; readonly backTo?: string };

/** Checks an authorization request (OAuth 2.1, RFC 7636, RFC 8707). */
export async function checkAuthorization(
  parameters: URLSearchParams,
  fetchClient: FetchClient,
  baseUrl: string,
): Promise<CheckedAuthorization> {
  const clientId = only(parameters, 'client_id');
  const redirectUri = only(parameters, 'redirect_uri');
  if (clientId === undefined || redirectUri === undefined) {
    const name = clientId === undefined ? 'client_id' : 'redirect_uri';
    return { refused: `${name} is required, once` };
  }
  const client = await fetchClient(clientId);
  if (typeof client === 'string') {
    return { refused: client };
  }
  if (!isRegistered(redirectUri, client.redirectUris)) {
    return { refused: 'redirect_uri is not one of the addresses that the program published' };
  }
  const state = parameters.get('state') ?? undefined;
  const error = errorOf(parameters, baseUrl);
  if (error) {
    const redirect = answerUrl({ redirectUri, state }, baseUrl, error);
    // Anyone can publish a program: only one on the user's own device is followed without a question.
    return redirectTarget(redirectUri)?.isLocal
      ? { redirect }
      : { refused: `${error.error}: ${error.error_description}`, backTo: redirect };
  }
  const scope = parameters.get('scope')?.split(' ').filter(Boolean) ?? [];
  return {
    request: {
      clientId,
      clientName: client.name,
      redirectUri,
      codeChallenge: parameters.get('code_challenge') ?? '',
      // The user chooses from all scopes if the program names none.
      scopes: scope.length === 0 ? SCOPES : [...new Set(scope)].filter(isScope),
      state,
    },
  };
}

const only = (parameters: URLSearchParams, name: string): string | undefined => {
  const [value, ...others] = parameters.getAll(name);
  return others.length === 0 && value !== '' ? value : undefined;
};

interface OAuthError extends Readonly<Record<string, string>> {
  readonly error: string;
  readonly error_description: string;
}

const refusal = (error: string, description: string): OAuthError => ({
  error,
  error_description: description,
});

/** SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

/** The state is part of the address of the page that asks the user. */
const STATE_MAX_BYTES = 2_000;

function errorOf(parameters: URLSearchParams, baseUrl: string): OAuthError | undefined {
  // RFC 8707 allows several resources.
  const names = [...parameters.keys()].filter((name) => name !== 'resource');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  const responseType = parameters.get('response_type');
  const scopes = parameters.get('scope')?.split(' ').filter(Boolean) ?? [];
  const unknown = scopes.filter((name) => !isScope(name));
  if (twice !== undefined) {
    return refusal('invalid_request', `${twice} is given more than once`);
  }
  if (parameters.has('request')) {
    return refusal('request_not_supported', 'send the parameters themselves');
  }
  if (parameters.has('request_uri')) {
    return refusal('request_uri_not_supported', 'send the parameters themselves');
  }
  if (responseType === null) {
    return refusal('invalid_request', 'response_type is required');
  }
  if (responseType !== 'code') {
    return refusal('unsupported_response_type', 'response_type must be code');
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    return refusal('invalid_request', 'response_mode must be query');
  }
  if (parameters.get('code_challenge_method') !== 'S256') {
    return refusal('invalid_request', 'PKCE is required: code_challenge_method must be S256');
  }
  if (!CHALLENGE.test(parameters.get('code_challenge') ?? '')) {
    return refusal('invalid_request', 'code_challenge must be 43 characters of base64url');
  }
  if (Buffer.byteLength(parameters.get('state') ?? '') > STATE_MAX_BYTES) {
    return refusal('invalid_request', `state has more than ${STATE_MAX_BYTES} bytes`);
  }
  if (!isOurResource(parameters.getAll('resource'), baseUrl)) {
    return refusal('invalid_target', 'resource must be the address of /mcp on this server');
  }
  return unknown.length > 0
    ? refusal('invalid_scope', `unknown scope: ${unknown.join(' ').slice(0, 100)}`)
    : undefined;
}
