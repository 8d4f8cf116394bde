import type { IncomingMessage } from 'node:http';
import type { OpenIdRefusal, OpenIdAttempt } from '#core/open-id.ts';
import type { Actor } from '#core/work.ts';
import { AGENCY, isNewerThan, newId } from '#lib/id.ts';
import type { AppDeps, PlainRoute } from '#platform/http/app.ts';
import { consume } from '#platform/http/call/public.ts';
import type { RequestContext } from '#platform/http/funnel.ts';
import type { CallResponse, Headers } from '#platform/http/response.ts';
import {
  sessionCookie,
  sessionTokenOf,
  browserCookie,
  readBrowserCookie,
} from '#platform/http/session.ts';
import { visitorAddress, visitorNetwork } from '#platform/http/visitor-address.ts';
import { signInWithClaims } from '../../accounts/sign-in/sign-in-with-claims.ts';
import { startSession } from '../../accounts/sign-in/start-session.ts';
import { createHmac } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';

/**
 * Sign-in with OpenID Connect: two addresses that browsers open, outside the console's API. Both lead on
 * to a page of the console; the sign-in page says why a sign-in failed.
 */
export const openIdRoutes = (deps: AppDeps): readonly PlainRoute[] => [
  {
    path: '/console/oidc/start',
    answer: (node, context) => limited(deps, node, context, () => start(deps)),
  },
  {
    path: '/console/oidc/callback',
    answer: (node, context) => limited(deps, node, context, () => finish(deps, node, context)),
  },
];

/** Counts the address: each call makes requests to the provider. */
async function limited(
  deps: AppDeps,
  node: IncomingMessage,
  context: RequestContext,
  answer: () => Promise<CallResponse>,
): Promise<CallResponse> {
  const by = visitorNetwork(visitorAddress(node, deps.trustedProxies));
  await consume(deps, 'sign_in', { by, cost: 1 }, context);
  return answer();
}

async function start({ tools, baseUrl, clock }: AppDeps): Promise<CallResponse> {
  const { attempt, headers } = newAttempt({ ...tools, baseUrl: baseUrl() }, clock());
  const begun = await tools.openId.begin(attempt);
  return 'refused' in begun ? refused(begun.refused) : redirect(begun.url, headers);
}

async function finish(
  { tools, baseUrl, clock, transact }: AppDeps,
  node: IncomingMessage,
  { requestId }: RequestContext,
): Promise<CallResponse> {
  const site = baseUrl();
  const attempt = readAttempt({ ...tools, baseUrl: site }, node, clock());
  if (!attempt) {
    return refused('expired');
  }
  const { searchParams } = new URL(node.url ?? '/', site);
  const finished = await tools.openId.finish(attempt, searchParams);
  if ('refused' in finished) {
    return refused(finished.refused);
  }
  const operation = 'sign-in.openid';
  const actor: Actor = { kind: 'visitor', name: 'console', requestId, operation };
  const token = await transact(AGENCY, actor, async (work) => {
    const outcome = await signInWithClaims(work, finished.claims, tools.openId.roles);
    return 'refused' in outcome
      ? outcome
      : { session: await startSession(work, outcome.user, sessionTokenOf(node, site)) };
  });
  return 'refused' in token
    ? refused(token.refused)
    : redirect('/console', sessionCookie(site, token.session));
}

const redirect = (location: string, headers: Headers): CallResponse => ({
  status: 303,
  text: '',
  headers: { ...headers, location, 'referrer-policy': 'no-referrer' },
});

const refused = (refusal: OpenIdRefusal): CallResponse =>
  redirect(`/console/sign-in?refused=${refusal}`, {});

/** How long a person has to sign in at the provider. */
const ATTEMPT_MS = 10 * MINUTE_MS;
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
function newAttempt(
  { secrets, baseUrl }: AttemptDeps,
  now: Date,
): { readonly attempt: OpenIdAttempt; readonly headers: Headers } {
  const subject = { subAccountId: AGENCY, id: newId(now) };
  const token = signToken(secrets.derive('open-id'), subject, CONTEXT);
  const headers = browserCookie(baseUrl, COOKIE, token, ATTEMPT_MS / SECOND_MS);
  return { attempt: attemptOf(secrets, baseUrl, token), headers };
}

/** Returns the sign-in that this browser began in the last 10 minutes. */
function readAttempt(
  { secrets, baseUrl }: AttemptDeps,
  node: IncomingMessage,
  now: Date,
): OpenIdAttempt | undefined {
  const token = readBrowserCookie(node, baseUrl, COOKIE) ?? '';
  const signed = verifyToken(secrets.derive('open-id'), token, CONTEXT);
  const oldest = new Date(now.getTime() - ATTEMPT_MS);
  const isFresh = signed !== undefined && isNewerThan(signed.id, oldest);
  return isFresh ? attemptOf(secrets, baseUrl, token) : undefined;
}

function attemptOf(secrets: Secrets, baseUrl: string, token: string): OpenIdAttempt {
  const derived = (name: string): string =>
    createHmac('sha256', secrets.derive('open-id')).update(`${name}:${token}`).digest('base64url');
  return {
    redirectUri: `${baseUrl}${CALLBACK_PATH}`,
    state: derived('state'),
    nonce: derived('nonce'),
    verifier: derived('verifier'),
  };
}
