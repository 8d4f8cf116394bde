import type { IncomingMessage } from 'node:http';
import {
  isGranted,
  type ConsoleCaller,
  type SessionAccess,
  type SessionEndpoint,
} from '#core/endpoint/console-endpoint.ts';
import { Fault, invalid, notFound } from '#core/fault.ts';
import type { Role } from '#core/role.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { AGENCY, hashedId, newId } from '#lib/id.ts';
import { rateExceeded, type CallLimits } from './admission.ts';
import { setRateHeaders, type Headers } from './response.ts';

/** A user with a session, and their membership in the named sub-account. */
export interface SignedIn {
  readonly sessionId: string;
  readonly user: ConsoleCaller['user'];
  readonly isOwner: boolean;
  /** When the user last signed in or verified a passkey. */
  readonly verifiedAt: Date;
  readonly membership:
    | {
        readonly subAccountId: string;
        readonly sandbox: boolean;
        readonly role: Role;
        readonly memberId: string | null;
      }
    | undefined;
}

/**
 * Identifies a session by its token; undefined if it has ended. A `request` keeps the session from
 * becoming idle, a `check` does not.
 */
export type IdentifySession = (
  token: string,
  subAccountId: string | undefined,
  use: 'request' | 'check',
) => Promise<SignedIn | undefined>;

const COOKIE = 'frontdesk_session';
const COOKIE_SECONDS = 30 * 24 * 60 * 60;

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');

/** Browsers accept a `__Host-` cookie only over HTTPS, and only from this host itself. */
const cookieName = (baseUrl: string, name: string): string =>
  isSecure(baseUrl) ? `__Host-${name}` : name;

/** Returns the header that stores a session in the browser, or deletes it. */
export const sessionCookie = (baseUrl: string, token: string | null): Headers =>
  browserCookie(baseUrl, COOKIE, token ?? '', token === null ? 0 : COOKIE_SECONDS);

/** Returns the header that stores a value in the browser, where scripts cannot read it. */
export function browserCookie(
  baseUrl: string,
  name: string,
  value: string,
  seconds: number,
): Headers {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return {
    'set-cookie': `${cookieName(baseUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  };
}

/** Returns the session token of a request. */
export const sessionTokenOf = (node: IncomingMessage, baseUrl: string): string | undefined =>
  readBrowserCookie(node, baseUrl, COOKIE);

/** Returns the value that `browserCookie` stored. */
export function readBrowserCookie(
  { headers }: IncomingMessage,
  baseUrl: string,
  cookie: string,
): string | undefined {
  const name = cookieName(baseUrl, cookie);
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? [];
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || undefined;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws FORBIDDEN unless the request comes from the console's own pages: browsers send the cookie with
 * requests that other websites start, too.
 */
export function refuseCrossSite({ method = '', headers }: IncomingMessage, baseUrl: string): void {
  if (SAFE_METHODS.has(method)) {
    return;
  }
  const site = [headers['sec-fetch-site']].flat()[0];
  const isOwn =
    site === undefined ? headers.origin === new URL(baseUrl).origin : site === 'same-origin';
  if (!isOwn) {
    throw new Fault(
      'FORBIDDEN',
      `the console accepts changes from its own pages only: send Sec-Fetch-Site: same-origin, or Origin: ${new URL(baseUrl).origin}`,
      { reason: 'cross_site' },
    );
  }
}

/** How long after signing in a user may do what needs a recent sign-in (contract 11). */
const RECENT_MS = 10 * MINUTE_MS;

export interface SessionDeps extends CallLimits {
  readonly identifySession: IdentifySession;
}

interface SessionInput {
  readonly endpoint: SessionEndpoint;
  readonly token: string | undefined;
  /** The sub-account that the call names. */
  readonly named: string | undefined;
  readonly cost: number;
  /** The idempotency key of the call. */
  readonly repeatKey: string | undefined;
}

/**
 * Checks the session, then the membership and the role, then the rate. As with keys, every response
 * after authentication has the rate headers.
 */
export async function admitSession(
  { identifySession, limiter, rates, clock }: SessionDeps,
  { endpoint, token, named, cost, repeatKey }: SessionInput,
  headers: Headers,
): Promise<{ readonly caller: ConsoleCaller; readonly granted: number }> {
  const signedIn = token === undefined ? undefined : await identifySession(token, named, 'request');
  if (!signedIn) {
    throw notSignedIn();
  }
  const { user, sessionId, isOwner, membership, verifiedAt } = signedIn;
  const isRecent = clock().getTime() - verifiedAt.getTime() < RECENT_MS;
  const refusal =
    accessRefusal(endpoint.access, signedIn, named) ??
    (endpoint.recentSignIn && !isRecent ? recentSignInNeeded() : undefined);
  const kind = endpoint.rate;
  const spent = await limiter.consume(`${user.id}:${kind}`, rates[kind], refusal ? 0 : cost);
  setRateHeaders(headers, rates[kind].limit, spent);
  if (refusal) {
    throw refusal;
  }
  if (spent.granted === 0) {
    throw rateExceeded(spent, rates[kind], clock());
  }
  const of = isOfSubAccount(endpoint.access) ? membership : undefined;
  const place = placeOf(endpoint.access, { userId: user.id, repeatKey, now: clock() });
  const { subAccountId = place, sandbox = false, role = null, memberId = null } = of ?? {};
  const about = { keyId: user.id, keyPrefix: undefined, sandbox, subAccountId, rates };
  const caller = { ...about, sessionId, user, isOwner, isRecent, role, memberId };
  return { caller, granted: spent.granted };
}

const notSignedIn = () =>
  new Fault('UNAUTHORIZED', 'sign in first: this session is unknown or has ended');

interface AdmittedSession extends Pick<SessionInput, 'endpoint' | 'token' | 'named'> {
  readonly caller: Pick<ConsoleCaller, 'role' | 'isOwner'>;
}

/** Throws a Fault if the session has ended since it was admitted, or the user has another role now. */
export async function admitSessionAgain(
  { identifySession }: Pick<SessionDeps, 'identifySession'>,
  { endpoint, token = '', named, caller }: AdmittedSession,
): Promise<void> {
  const signedIn = await identifySession(token, named, 'check');
  if (!signedIn) {
    throw notSignedIn();
  }
  const refusal = accessRefusal(endpoint.access, signedIn, named);
  if (refusal) {
    throw refusal;
  }
  const role = isOfSubAccount(endpoint.access) ? (signedIn.membership?.role ?? null) : null;
  if (role !== caller.role || signedIn.isOwner !== caller.isOwner) {
    throw roleChanged();
  }
}

/** Returns the refusal of a user who got another role after the call was admitted. */
export const roleChanged = (): Fault =>
  new Fault('FORBIDDEN', 'your role changed during this call: try again');

const isOfSubAccount = ({ kind }: SessionAccess): boolean => kind === 'scope' || kind === 'role';

interface NewPlace {
  readonly userId: string;
  readonly repeatKey: string | undefined;
  readonly now: Date;
}

/**
 * Returns the id of the work of a call that names no sub-account: the agency's, or a new one. A repeat
 * with the same idempotency key gets the same id, and finds the response that is stored there.
 */
function placeOf(access: SessionAccess, { userId, repeatKey, now }: NewPlace): string {
  if (access.kind !== 'owner' || access.of === 'installation') {
    return AGENCY;
  }
  return repeatKey === undefined ? newId(now) : hashedId(`${userId} ${repeatKey}`);
}

/** Returns why the user may not call the endpoint. Sub-accounts without membership do not exist for them. */
export function accessRefusal(
  access: SessionAccess,
  { isOwner, membership }: SignedIn,
  named: string | undefined,
): Fault | undefined {
  if (access.kind === 'session') {
    return undefined;
  }
  if (access.kind === 'owner') {
    return isOwner ? undefined : new Fault('FORBIDDEN', 'this needs an owner of the installation');
  }
  if (!named) {
    return invalid([{ in: 'header', path: '/X-Sub-Account-Id', message: 'is required' }]);
  }
  if (!membership) {
    return notFound('sub-account');
  }
  const { role } = membership;
  const needed = access.kind === 'scope' ? `the scope ${access.scope}` : `the role ${access.role}`;
  return isGranted(role, access)
    ? undefined
    : new Fault('FORBIDDEN', `your role ${role} does not allow this: it needs ${needed}`);
}

/** Returns the refusal of a user who signed in too long ago for what they want to do. */
export const recentSignInNeeded = (): Fault =>
  new Fault('FORBIDDEN', 'sign in again or use a passkey: this needs a sign-in within 10 minutes', {
    reason: 'prove_again',
  });
