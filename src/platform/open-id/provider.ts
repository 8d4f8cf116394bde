import type { Configuration } from 'openid-client';
import {
  claimNames,
  type Claims,
  type ClaimRole,
  type OpenId,
  type OpenIdAttempt,
  type OpenIdRefusal,
} from '#core/open-id.ts';
import { UsageFault } from '#core/fault.ts';
import { HOUR_MS } from '#lib/duration.ts';
import type { Environment } from '../config/environment.ts';
import type { Logger } from '../config/logger.ts';

/** The variables of the provider. */
export type OpenIdVariables = Partial<
  Pick<Environment, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcRoles'>
>;

interface OpenIdOptions extends OpenIdVariables {
  readonly log: Logger;
}

/** Loaded with the first sign-in: few processes need it. */
const library = () => import('openid-client');

/** Per request to the provider. */
const TIMEOUT_SECONDS = 10;
/** The provider's settings are read again after so long. */
const DISCOVERY_MS = HOUR_MS;

/** Throws a UsageFault if the variables of the provider are incomplete. */
export function requireOpenId(variables: OpenIdVariables): void {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoles } = variables;
  const needed = {
    FRONTDESK_OIDC_ISSUER: oidcIssuer,
    FRONTDESK_OIDC_CLIENT_ID: oidcClientId,
    FRONTDESK_OIDC_CLIENT_SECRET: oidcClientSecret,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  const isUnused = missing.length === Object.keys(needed).length && !oidcRoles;
  if (missing.length > 0 && !isUnused) {
    throw new UsageFault(
      `sign-in with OpenID Connect also needs ${missing.join(' and ')}: set all of them, or none of FRONTDESK_OIDC_*`,
    );
  }
}

/** Opens the provider that the environment names; nothing is requested before the first sign-in. */
export function openOpenId(options: OpenIdOptions): OpenId {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoles: roles = [], log } = options;
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret) {
    const refused = async () => ({ refused: 'unavailable' as const });
    return { isSetUp: false, roles: [], begin: refused, finish: refused };
  }
  const client: Client = { issuer: oidcIssuer, id: oidcClientId, secret: oidcClientSecret };
  const discover = discovering(client);
  const refusing =
    (step: string, explain: (error: unknown) => Promise<OpenIdRefusal>) =>
    async (error: unknown) => {
      const refused = await explain(error);
      log.warn(
        { issuer: oidcIssuer, refused, why: whyOf(error) },
        `OpenID Connect: ${step} failed`,
      );
      return { refused };
    };
  return {
    isSetUp: true,
    roles,
    begin: (attempt) =>
      discover()
        .then((provider) => addressOf(provider, attempt, roles))
        .catch(refusing('the start of a sign-in', async () => 'unavailable')),
    finish: (attempt, parameters) =>
      discover()
        .then(async (provider) => ({
          claims: await claimsOf(client, provider, attempt, parameters),
        }))
        .catch(refusing('a sign-in', refusalOf)),
  };
}

interface Client {
  readonly issuer: string;
  readonly id: string;
  readonly secret: string;
}

/** Reads the settings of the provider, at most once an hour. A failure is tried again at once. */
function discovering(client: Client): () => Promise<Configuration> {
  let known: { readonly until: number; readonly provider: Promise<Configuration> } | undefined;
  return () => {
    const now = performance.now();
    if (known && known.until > now) {
      return known.provider;
    }
    const provider = discover(client);
    const reading = { until: now + DISCOVERY_MS, provider };
    known = reading;
    provider.catch(() => {
      known = known === reading ? undefined : known;
    });
    return provider;
  };
}

async function discover({ issuer, id, secret }: Client): Promise<Configuration> {
  const { discovery, ClientSecretBasic, enableNonRepudiationChecks } = await library();
  const provider = await discovery(new URL(issuer), id, secret, ClientSecretBasic(secret), {
    execute: await insecureOnLoopback(issuer),
    timeout: TIMEOUT_SECONDS,
  });
  enableNonRepudiationChecks(provider);
  return provider;
}

/** `http:` issuers are on this machine: the variable accepts no others. */
async function insecureOnLoopback(issuer: string) {
  const { allowInsecureRequests } = await library();
  return issuer.startsWith('http:') ? [allowInsecureRequests] : [];
}

async function addressOf(
  provider: Configuration,
  { redirectUri, state, nonce, verifier }: OpenIdAttempt,
  roles: readonly ClaimRole[],
): Promise<{ readonly url: string }> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
  const { href } = buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: scopesOf(provider, roles),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { url: href };
}

/** Some providers state groups only for a scope of the same name. */
function scopesOf(provider: Configuration, roles: readonly ClaimRole[]): string {
  const supported = new Set(provider.serverMetadata().scopes_supported);
  const names = roles.flatMap(({ claim }) => claimNames(claim));
  const more = names.filter((name) => supported.has(name));
  return [...new Set(['openid', 'email', 'profile', ...more])].join(' ');
}

async function claimsOf(
  client: Client,
  provider: Configuration,
  { redirectUri, state, nonce, verifier }: OpenIdAttempt,
  parameters: URLSearchParams,
): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const url = new URL(`${redirectUri}?${parameters.toString()}`);
  const checks = {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  };
  const tokens = await authorizationCodeGrant(provider, url, checks).catch(async (error: unknown) =>
    isClientRefused(error)
      ? authorizationCodeGrant(await postingSecret(client, provider), url, checks)
      : Promise.reject(error),
  );
  const stated = tokens.claims() as Claims & { readonly sub: string };
  // Most providers state the email address only here.
  const info = provider.serverMetadata().userinfo_endpoint
    ? await fetchUserInfo(provider, tokens.access_token, stated.sub)
    : {};
  return joinedClaims(stated, info);
}

/**
 * Adds what the user info states to the claims of the ID token, which count first. What it says about the
 * email address counts only if it states the same one: another address being verified proves nothing.
 */
export function joinedClaims(stated: Claims, info: Claims): Claims {
  const isOther = 'email' in stated && stated['email'] !== info['email'];
  const { email_verified: isVerified, ...others } = info;
  return { ...others, ...(!isOther && { email_verified: isVerified }), ...stated };
}

/** Some clients are registered to send their secret in the body instead of a header. */
async function postingSecret({ issuer, id, secret }: Client, provider: Configuration) {
  const { Configuration: Settings, ClientSecretPost, enableNonRepudiationChecks } = await library();
  const posting = new Settings(provider.serverMetadata(), id, secret, ClientSecretPost(secret));
  posting.timeout = TIMEOUT_SECONDS;
  (await insecureOnLoopback(issuer)).forEach((allow) => allow(posting));
  enableNonRepudiationChecks(posting);
  return posting;
}

const isClientRefused = (error: unknown): boolean =>
  (error as { readonly error?: unknown }).error === 'invalid_client';

const SERVER_ERROR = 500;

async function refusalOf(error: unknown): Promise<OpenIdRefusal> {
  const { AuthorizationResponseError } = await library();
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'temporarily_unavailable' || error.error === 'server_error'
      ? 'unavailable'
      : 'denied';
  }
  const { status, cause, code } = error as Partial<Record<string, unknown>>;
  const answered = status ?? (cause instanceof Response ? cause.status : undefined);
  const isDown =
    error instanceof TypeError ||
    code === 'OAUTH_TIMEOUT' ||
    (typeof answered === 'number' && answered >= SERVER_ERROR);
  return isDown ? 'unavailable' : 'failed';
}

/** Returns the messages of an error and its causes, without tokens: the library's texts are fixed. */
function whyOf(error: unknown): string {
  const { message, error: code, cause } = error as Partial<Record<string, unknown>>;
  const inner = cause instanceof Error ? `: ${whyOf(cause)}` : '';
  return `${String(message)}${typeof code === 'string' ? ` (${code})` : ''}${inner}`;
}
