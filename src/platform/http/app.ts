import { holderOf, limitSending } from './large-responses.ts';
import { isForPeople, loggedPath, unknownPage, suggestPath } from './unknown-path.ts';
import { type CallResponse, allowAnyOrigin } from './response.ts';
import type { IncomingMessage } from 'node:http';
import { H3, type H3Event, type HTTPMethod } from 'h3';
import type { ServerRequest } from 'srvx';
import type { PageEndpoint } from '#core/endpoint/page-endpoint.ts';
import type { Endpoint, VisitorEndpoint } from '#core/endpoint/endpoint.ts';
import { riskOf } from '#core/endpoint/keyed-endpoint.ts';
import { Fault, invalid } from '#core/fault.ts';
import type { PublicLimit } from '#core/rate-limit.ts';
import { AGENCY } from '#lib/id.ts';
import { pageHeaders } from '#lib/page.ts';
import type { Logger } from '../config/logger.ts';
import { workFor } from '../process/activity.ts';
import { type AdmissionDeps, type Admitted, admit, admitKeyAgain } from './admission.ts';
import { abandonBody } from './body/budget.ts';
import { costOf, header, type CallDeps } from './call/checks.ts';
import { callConsole } from './call/console.ts';
import { callKeyed } from './call/keyed.ts';
import { callPublic, consume, type PublicDeps } from './call/public.ts';
import { callSigned } from './call/signed.ts';
import type { SessionDeps } from './session.ts';
import { visitorAddress, visitorNetwork } from './visitor-address.ts';
import { brokenDownloads } from './errors.ts';
import { callerOf, type Logs, logsOf, type RequestContext, respond } from './funnel.ts';

export interface AppDeps extends AdmissionDeps, CallDeps, PublicDeps, SessionDeps {
  readonly log: Logger;
}

/** A route outside the API: no key, no envelope. */
export interface PlainRoute {
  readonly path: string;
  /** By default GET. */
  readonly method?: 'GET' | 'POST';
  /** Calls count against this limit, per IP address. */
  readonly limit?: PublicLimit;
  answer(request: IncomingMessage, context: RequestContext): CallResponse | Promise<CallResponse>;
}

export interface Routes {
  readonly endpoints: readonly Endpoint[];
  readonly plain: readonly PlainRoute[];
  /** Patterns below which other paths are unknown, although a wider plain route matches them. */
  readonly unknown?: readonly string[];
}

export interface App {
  fetch(request: ServerRequest): Response | Promise<Response>;
}

/** Builds the application: one route per endpoint, and one funnel for every response. */
export function buildApp(routes: Routes, deps: AppDeps): App {
  const logs = logsOf(deps.log);
  const refuse = ({ method }: { readonly method: string }, error: unknown) =>
    respond(logs, { method, route: UNKNOWN }, () => {
      throw error;
    });
  const app = new H3({ allowMalformedURL: true, onError: (error, { req }) => refuse(req, error) });
  addRoutes(app, routes, deps, logs);
  return {
    fetch(request) {
      if (lacksHost(request)) {
        return refuse(request, invalid([{ in: 'header', path: '/Host', message: 'is required' }]));
      }
      try {
        return app.fetch(request);
      } catch (error) {
        // Thrown while the URL is parsed, before h3 catches errors: it would end the process.
        return refuse(request, isBadAddress(error) ? badHost() : error);
      }
    },
  };
}

const UNKNOWN = '(unknown)';

/** HTTP/1.0 has no Host header. */
const lacksHost = ({ headers, runtime }: ServerRequest): boolean =>
  headers.get('host') === null && runtime?.node?.req?.httpVersion === '1.1';

const isBadAddress = (error: unknown) => (error as { code?: unknown }).code === 'ERR_INVALID_URL';
const badHost = () => invalid([{ in: 'header', path: '/Host', message: 'is not a valid host' }]);

type AnswerEvent = (
  event: H3Event,
  context: RequestContext,
) => CallResponse | Promise<CallResponse>;

function addRoutes(
  app: H3,
  { endpoints, plain, unknown = [] }: Routes,
  deps: AppDeps,
  logs: Logs,
): void {
  const open = new Set(endpoints.filter(isVisitorEndpoint).map(({ path }) => path));
  const noSuchPath = refusingPaths(open, suggestPath(endpoints.map(({ path }) => path)));
  // The folders of pages, such as the console: a slash at the end is part of their paths.
  const folders = new Set(
    plain.flatMap(({ path }) => (path.endsWith('/**') ? [path, path.slice(0, -3)] : [])),
  );
  const pages = new Set(endpoints.filter(({ kind }) => kind === 'page').map(({ path }) => path));
  const handling = (route: string, answer: AnswerEvent) => (event: H3Event) =>
    respond(logs, { method: event.req.method, route }, (context) => {
      Object.assign(context, callerOf(nodeRequest(event), deps.trustedProxies));
      // h3 treats `/contacts/` as `/contacts`.
      const { pathname } = event.url;
      if (pathname.length > 1 && pathname.endsWith('/') && !folders.has(route)) {
        const isPage = pages.has(route) && ['GET', 'HEAD'].includes(event.req.method);
        return (isPage ? withoutSlash : noSuchPath)(event, context);
      }
      return answer(event, context);
    });
  const methods = new Map<string, string[]>();
  const add = (method: HTTPMethod, path: string, answer: AnswerEvent) => {
    const added: HTTPMethod[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
    added.forEach((each) => app.on(each, path, handling(path, answer)));
    methods.set(path, [...(methods.get(path) ?? []), ...added]);
  };
  for (const endpoint of endpoints) {
    add(endpoint.method, endpoint.path, async (event, context) => {
      const response = await answerCall(deps, endpoint, event, context);
      const holder = holderOf(context, isVisitorEndpoint(endpoint));
      return limitSending(response, holder, event.req, brokenDownloads(deps.log, context));
    });
  }
  for (const path of open) {
    add('OPTIONS', path, (_event, { headers }) => allowAnyOrigin(headers, methods.get(path)));
  }
  for (const { path, method = 'GET', limit, answer } of plain) {
    add(method, path, async (event, context) => {
      const node = nodeRequest(event);
      const by = visitorNetwork(visitorAddress(node, deps.trustedProxies));
      await consume(deps, limit, { by, cost: 1 }, context);
      return answer(node, context);
    });
  }
  for (const [path, allowed] of methods) {
    const refuse = methodNotAllowed(allowed);
    const answer: AnswerEvent = (event, context) => {
      allowAnyOrigin(context.headers);
      return refuse(event, context);
    };
    app.all(path, handling(path, open.has(path) ? answer : refuse));
  }
  for (const path of [...unknown, '/**']) {
    app.all(path, handling(UNKNOWN, noSuchPath));
  }
}

/** Visitors call without a key, from any website. */
const isVisitorEndpoint = (endpoint: Endpoint): endpoint is VisitorEndpoint =>
  endpoint.kind === 'public' || endpoint.kind === 'page' || endpoint.kind === 'stream';

/**
 * Refuses unknown paths, for browsers with a page; below public paths so that scripts of any website
 * can read the 404 (contract 8).
 */
function refusingPaths(open: ReadonlySet<string>, suggest: (path: string) => string): AnswerEvent {
  const prefixes = [...open].flatMap((path) => /^\/api\/[^/]+\//.exec(path)?.[0] ?? []);
  return (event, context) => {
    const { req, url } = event;
    const { headers } = context;
    context.unknownPath = loggedPath(url.pathname);
    const node = nodeRequest(event);
    if (isForPeople(req.method, url.pathname, header(node, 'accept'))) {
      const locale = firstLanguage(header(node, 'accept-language'));
      context.errorPage = async () => unknownPage(locale);
    }
    if (prefixes.some((prefix) => `${url.pathname}/`.startsWith(prefix))) {
      const preflight = allowAnyOrigin(headers, req.method === 'OPTIONS' ? ['GET', 'POST'] : []);
      if (req.method === 'OPTIONS') {
        return preflight;
      }
    }
    throw new Fault('NOT_FOUND', suggest(url.pathname));
  };
}

/** Redirects to the address of a page. Relative, for proxies with a path prefix. */
const withoutSlash: AnswerEvent = ({ url: { pathname, search } }) => ({
  status: 302,
  text: '',
  document: {
    type: 'text/html; charset=utf-8',
    body: '',
    headers: {
      ...pageHeaders({ framedBy: 'none' }),
      location: `../${pathname.split('/').at(-2)}${search}`,
    },
  },
});

const listed = new Intl.ListFormat('en', { type: 'disjunction' });

const methodNotAllowed =
  (allowed: readonly string[]): AnswerEvent =>
  ({ req }) => {
    const message = `${req.method} is not allowed for this path; use ${listed.format(allowed)}`;
    throw new Fault('METHOD_NOT_ALLOWED', message, undefined, { allow: allowed.join(', ') });
  };

const NOT_FOUND = 404;

/**
 * Returns the function that shows a fault of a page: its own error page, or else that of an unknown
 * path, since people open links of files and feeds. Programs get JSON.
 */
function errorPageOf(
  deps: AppDeps,
  { error }: PageEndpoint,
  event: H3Event,
  context: RequestContext,
): RequestContext['errorPage'] {
  const node = nodeRequest(event);
  const locale = () => firstLanguage(header(node, 'accept-language'));
  if (error) {
    return (fault) => {
      const { subAccountId = AGENCY } = context;
      const view = subAccountId === AGENCY ? undefined : deps.openView(subAccountId, deps.clock());
      return error(fault, locale(), view);
    };
  }
  const isBrowser = isForPeople(event.req.method, event.url.pathname, header(node, 'accept'));
  return ({ status }) => (isBrowser && status === NOT_FOUND ? unknownPage(locale()) : undefined);
}

async function answerCall(
  deps: AppDeps,
  endpoint: Endpoint,
  event: H3Event,
  context: RequestContext,
): Promise<CallResponse> {
  const node = nodeRequest(event);
  const { requestId, headers } = context;
  if (endpoint.deprecated) {
    headers['deprecation'] = 'true';
    headers['sunset'] = new Date(endpoint.deprecated.sunset).toUTCString();
  }
  if (endpoint.kind === 'page') {
    context.errorPage = errorPageOf(deps, endpoint, event, context);
  }
  const params = event.context.params ?? {};
  const orAbandon = (error: unknown): never => {
    if (!abandonBody(node)) {
      headers['connection'] = 'close';
    }
    throw error;
  };
  if (endpoint.kind === 'signed') {
    return callSigned(deps, endpoint, { context, params, node }).catch(orAbandon);
  }
  const { pathname: path, searchParams: search } = event.url;
  if (isVisitorEndpoint(endpoint)) {
    allowAnyOrigin(headers);
    return callPublic(deps, endpoint, { context, params, path, search, node }).catch(orAbandon);
  }
  if (endpoint.kind === 'console') {
    return callConsole(deps, endpoint, { context, params, path, search, node }).catch(orAbandon);
  }
  const credentials = {
    authorization: header(node, 'authorization'),
    subAccountHeader: header(node, 'x-sub-account-id'),
  };
  const { access, rate } = endpoint;
  const cost = costOf(endpoint, { params, search, now: deps.clock() });
  const risk = riskOf(endpoint);
  const onKey = (key: Admitted) => {
    context.keyId = key.keyId;
    if (key.boundTo !== null) {
      context.subAccountId = key.boundTo;
    }
  };
  const admission = await admit(deps, { access, rate, cost, risk, onKey }, credentials, headers);
  const { keyId, keyPrefix, subAccountId } = admission.caller;
  context.subAccountId = subAccountId;
  workFor(subAccountId);
  const actor = { kind: 'key', name: keyId, keyPrefix, requestId, operation: endpoint.id } as const;
  const admitAgain = () => admitKeyAgain(deps, { access, risk }, credentials);
  const rest = { path, params, search, node, admitAgain };
  return callKeyed(deps, endpoint, { actor, ...admission, ...rest });
}

function nodeRequest(event: H3Event): IncomingMessage {
  const node = event.req.runtime?.node?.req;
  if (!node) {
    throw new Error('served by node:http only');
  }
  return node as IncomingMessage;
}

/** English with British dates. */
const DEFAULT_LOCALE = 'en-GB';

/** Returns the first language of an Accept-Language header, as BCP 47; English if it names none. */
export const firstLanguage = (accepted = ''): string =>
  /^\s*([a-z]{2,3}(?:-[a-z\d]{1,8}){0,4})\s*(?:[,;]|$)/i.exec(accepted)?.[1] ?? DEFAULT_LOCALE;
