import type { IncomingMessage } from 'node:http';
import { Fault } from '#core/fault.ts';
import type { AppDeps, PlainRoute } from '#platform/http/app.ts';
import { firstLanguage } from '#platform/http/app.ts';
import { parseForm } from '#platform/http/body/parse-form.ts';
import { readBytes } from '#platform/http/body/read.ts';
import { header } from '#platform/http/call/checks.ts';
import { consume } from '#platform/http/call/public.ts';
import type { RequestContext } from '#platform/http/funnel.ts';
import type { CallResponse } from '#platform/http/response.ts';
import { sessionTokenOf } from '#platform/http/session.ts';
import { visitorAddress, visitorNetwork } from '#platform/http/visitor-address.ts';
import { sealRequest } from '../../accounts/grants/authorization-request.ts';
import { refusedRequestPage } from './refused-request-page.ts';
import { checkAuthorization } from './check-authorization.ts';
import { clientFetcher, type FetchClient } from './client-document.ts';
import {
  RESOURCE_METADATA_PATH,
  resourceMetadata,
  SERVER_METADATA_PATH,
  serverMetadata,
} from './metadata.ts';
import {
  answerRevoke,
  answerToken,
  tokenError,
  type TokenDeps,
  type TokenError,
  type TokenRequest,
} from './token-endpoint.ts';

/** The authorization server for MCP clients (OAuth 2.1). Its consent page is part of the console. */
export function oauthRoutes(deps: AppDeps): readonly PlainRoute[] {
  const { baseUrl, tools, clock } = deps;
  const fetchClient = clientFetcher(tools.outbound, clock);
  const tokenDeps: TokenDeps = { ...deps, secrets: tools.secrets };
  return [
    ...[RESOURCE_METADATA_PATH, `${RESOURCE_METADATA_PATH}/mcp`].map((path): PlainRoute => ({
      path,
      limit: 'public_read',
      answer: () => metadata(resourceMetadata(baseUrl())),
    })),
    {
      path: SERVER_METADATA_PATH,
      limit: 'public_read',
      answer: () => metadata(serverMetadata(baseUrl())),
    },
    {
      path: '/oauth/authorize',
      limit: 'oauth',
      answer: (node, context) => authorize(deps, fetchClient, node, context),
    },
    formRoute(deps, '/oauth/token', (request) => answerToken(tokenDeps, request)),
    formRoute(deps, '/oauth/revoke', (request) => answerRevoke(tokenDeps, request)),
  ];
}

const metadata = (document: object): CallResponse => ({
  status: 200,
  text: JSON.stringify(document),
  headers: { 'cache-control': 'public, max-age=300' },
});

const CONSENT_PATH = '/console/authorize';

/**
 * Checks the request of a signed-in user, and leads to the consent page. Others sign in first: only
 * users make the server fetch documents, and follow redirects to addresses that programs chose.
 */
async function authorize(
  { identifySession, tools, clock, baseUrl, log }: AppDeps,
  fetchClient: FetchClient,
  node: IncomingMessage,
  { requestId }: RequestContext,
): Promise<CallResponse> {
  const site = baseUrl();
  const { searchParams, search } = new URL(node.url ?? '/', site);
  const token = sessionTokenOf(node, site);
  if (token === undefined || !(await identifySession(token, undefined, 'check'))) {
    return redirect(`${CONSENT_PATH}${search}`);
  }
  const checked = await checkAuthorization(searchParams, fetchClient, site);
  if ('redirect' in checked) {
    return redirect(checked.redirect);
  }
  if ('refused' in checked) {
    log.info({ requestId, reason: checked.refused }, 'an authorization request was refused');
    const locale = firstLanguage(header(node, 'accept-language'));
    return { status: 400, text: '', document: refusedRequestPage(locale, checked) };
  }
  const sealed = sealRequest(tools.secrets, checked.request, clock());
  return redirect(`${CONSENT_PATH}?${new URLSearchParams({ request: sealed }).toString()}`);
}

const redirect = (location: string): CallResponse => ({
  status: 303,
  text: '',
  headers: { location, 'referrer-policy': 'no-referrer' },
});

const FORM_MAX_BYTES = 16 * 1_024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** An endpoint that programs post a form to. Its refusals have the shape of RFC 6749. */
const formRoute = (
  deps: AppDeps,
  path: string,
  answer: (request: TokenRequest) => Promise<object | TokenError>,
): PlainRoute => ({
  path,
  method: 'POST',
  async answer(node, context) {
    try {
      const by = visitorNetwork(visitorAddress(node, deps.trustedProxies));
      await consume(deps, 'oauth', { by, cost: 1 }, context);
      return await answerForm(deps, node, context, answer);
    } catch (error) {
      if (error instanceof Fault && error.status < 500) {
        const { code, message, status, headers } = error;
        const name = code === 'RATE_LIMITED' ? 'temporarily_unavailable' : 'invalid_request';
        return jsonOf(status, tokenError(name, message), headers);
      }
      throw error;
    }
  },
});

async function answerForm(
  deps: AppDeps,
  node: IncomingMessage,
  { requestId }: RequestContext,
  answer: (request: TokenRequest) => Promise<object | TokenError>,
): Promise<CallResponse> {
  if (!FORM_TYPE.test(header(node, 'content-type') ?? '')) {
    throw new Fault('VALIDATION_ERROR', 'send application/x-www-form-urlencoded');
  }
  const address = visitorNetwork(visitorAddress(node, deps.trustedProxies));
  const share = deps.bodyBudget.open(node, address);
  try {
    const form = parseForm(await readBytes(node, FORM_MAX_BYTES, share));
    if (header(node, 'authorization') !== undefined) {
      const message = 'clients have no secret here: send client_id in the form';
      const challenge = { 'www-authenticate': 'Basic realm="Frontdesk"' };
      return jsonOf(401, tokenError('invalid_client', message), challenge);
    }
    const answered = await answer({ form, requestId });
    return jsonOf('error' in answered ? 400 : 200, answered);
  } finally {
    share.release();
  }
}

/** The tokens must not be cached (RFC 6749, section 5.1); every response has `Cache-Control: no-store`. */
const jsonOf = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): CallResponse => ({
  status,
  text: JSON.stringify(body),
  headers: { ...headers, pragma: 'no-cache' },
});
