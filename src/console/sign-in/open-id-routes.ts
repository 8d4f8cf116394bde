import type { IncomingMessage } from 'node:http';
import type { OpenIdRefusal } from '#core/open-id.ts';
import type { Actor } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import type { AppDeps, PlainRoute } from '#platform/http/app.ts';
import { consume } from '#platform/http/call/public.ts';
import type { RequestContext } from '#platform/http/funnel.ts';
import type { CallResponse, Headers } from '#platform/http/response.ts';
import { sessionCookie, sessionTokenOf } from '#platform/http/session.ts';
import { visitorAddress, visitorNetwork } from '#platform/http/visitor-address.ts';
import { signInWithClaims } from '../../accounts/sign-in/sign-in-with-claims.ts';
import { startSession } from '../../accounts/sign-in/start-session.ts';
import { newAttempt, readAttempt } from './open-id-attempt.ts';

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
