import type {
  ConsoleEndpoint,
  SessionEndpoint,
  SignInEndpoint,
} from '#core/endpoint/console-endpoint.ts';
import { isAboutFile } from '#core/endpoint/file-body.ts';
import type { Actor, Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { repeat } from '#lib/repeat.ts';
import { BODY_LIMIT_BYTES, readBytes } from '../body/read.ts';
import { receiveParts } from '../body/receive-parts.ts';
import type { RoutedRequest } from '../funnel.ts';
import { type CallResponse, responseOf, withData } from '../response.ts';
import {
  accessRefusal,
  admitSession,
  admitSessionAgain,
  refuseCrossSite,
  sessionTokenOf,
  type SessionDeps,
} from '../session.ts';
import { visitorAddress, visitorNetwork } from '../visitor-address.ts';
import { workFor } from '../../process/activity.ts';
import { CHECK_CALLER_MS } from './check-download.ts';
import { checkedBody, checkedQuery, checkParams, costOf, header, type CallDeps } from './checks.ts';
import { callKeyed } from './keyed.ts';
import { consume, type PublicDeps } from './public.ts';

type Deps = CallDeps & PublicDeps & SessionDeps;

/** Answers a call below `/console/api`: of the sign-in page, or of a signed-in user. */
export async function callConsole(
  deps: Deps,
  endpoint: ConsoleEndpoint,
  request: RoutedRequest,
): Promise<CallResponse> {
  refuseCrossSite(request.node, deps.baseUrl());
  return endpoint.access.kind === 'visitor'
    ? callSignIn(deps, endpoint as SignInEndpoint, request)
    : callSession(deps, endpoint as SessionEndpoint, request);
}

async function callSession(
  deps: Deps,
  endpoint: SessionEndpoint,
  request: RoutedRequest,
): Promise<CallResponse> {
  const { context, params, path, search, node } = request;
  const token = sessionTokenOf(node, deps.baseUrl());
  const cost = costOf(endpoint, { params, search, now: deps.clock() });
  const named = namedIn(endpoint, request);
  const repeatKey = header(node, 'idempotency-key');
  const input = { endpoint, token, named, cost, repeatKey };
  const admission = await admitSession(deps, input, context.headers);
  const { caller } = admission;
  const { requestId } = context;
  context.userId = caller.user.id;
  context.subAccountId = caller.subAccountId;
  workFor(caller.subAccountId);
  if (endpoint.stream) {
    checkParams(endpoint, params);
    const call = { ...callOf(deps, endpoint, request), ...admission };
    const view = deps.openView(caller.subAccountId, deps.clock());
    const lastEventId = header(node, 'last-event-id');
    const isOver = async () => {
      const now = await deps.identifySession(token ?? '', named, 'check');
      // The role decides what a stream contains.
      return (
        !now ||
        accessRefusal(endpoint.access, now, named) !== undefined ||
        (now.membership?.role ?? null) !== caller.role
      );
    };
    const follow = (closed: AbortSignal) => {
      const signal = AbortSignal.any([closed, sessionEnd(isOver, closed)]);
      return endpoint.stream({ ...call, view, lastEventId, signal });
    };
    const stream = deps.streams.open(`user:${caller.user.id}`, follow);
    return { status: 200, text: '', stream };
  }
  const actor: Actor = {
    kind: 'user',
    name: caller.user.email,
    requestId,
    operation: endpoint.id,
  };
  const admitAgain = () => admitSessionAgain(deps, { endpoint, token, named, caller });
  if (endpoint.receive) {
    checkParams(endpoint, params);
    const view = deps.openView(caller.subAccountId, deps.clock());
    const change = async (one: (work: Work) => Promise<void>) => {
      await admitAgain();
      await deps.transact(caller.subAccountId, actor, one);
    };
    const parts = receiveParts(node, endpoint.upload);
    const call = { ...callOf(deps, endpoint, request), ...admission, view, change, parts };
    return responseOf(endpoint, await withData(view, await endpoint.receive(call)));
  }
  const own = searchOf(endpoint, search);
  const rest = { path, params, search: own, node, admitAgain };
  return callKeyed(deps, endpoint, { actor, ...admission, ...rest });
}

/**
 * Streams and downloads name the sub-account in the query: browsers cannot send headers with an
 * EventSource, an image or a link.
 */
const namedIn = (endpoint: SessionEndpoint, { node, search }: RoutedRequest) =>
  (
    header(node, 'x-sub-account-id') ??
    (endpoint.stream || isDownload(endpoint) ? search.get('subAccountId') : undefined) ??
    undefined
  )?.toLowerCase();

const isDownload = (endpoint: SessionEndpoint): boolean =>
  endpoint.method === 'GET' && isAboutFile(endpoint);

/** Returns the query without the sub-account, which is no parameter of a download. */
function searchOf(endpoint: SessionEndpoint, given: URLSearchParams): URLSearchParams {
  const search = new URLSearchParams(given);
  if (isDownload(endpoint)) {
    search.delete('subAccountId');
  }
  return search;
}

const callOf = (
  { tools, baseUrl }: Deps,
  endpoint: SessionEndpoint,
  { params, search }: RoutedRequest,
) => ({
  params,
  query: checkedQuery(endpoint, search),
  body: undefined,
  tools,
  baseUrl: baseUrl(),
});

/** Returns a signal that aborts when the session has ended or lost its access. */
function sessionEnd(isOver: () => Promise<boolean>, closed: AbortSignal): AbortSignal {
  const over = new AbortController();
  const check = async () => {
    // While the database is down, nothing can be read through the stream either.
    if (await isOver().catch(() => false)) {
      over.abort();
    }
  };
  const checking = repeat(CHECK_CALLER_MS, check);
  const stop = () => void checking.stop();
  closed.addEventListener('abort', stop);
  over.signal.addEventListener('abort', stop);
  return over.signal;
}

/** Counts the address, checks query and body, and runs the endpoint for the installation. */
async function callSignIn(
  deps: Deps,
  endpoint: SignInEndpoint,
  { context, params, search, node }: RoutedRequest,
): Promise<CallResponse> {
  const address = visitorNetwork(visitorAddress(node, deps.trustedProxies));
  const granted = await consume(deps, endpoint.limit, { by: address, cost: 1 }, context);
  const share = deps.bodyBudget.open(node, address);
  try {
    const query = checkedQuery(endpoint, search);
    const body =
      endpoint.method === 'GET'
        ? undefined
        : checkedBody(endpoint, node, await readBytes(node, BODY_LIMIT_BYTES, share));
    const { tools, transact, openView, clock } = deps;
    const baseUrl = deps.baseUrl();
    const sessionToken = sessionTokenOf(node, baseUrl);
    const call = { params, query, body, granted, tools, baseUrl, sessionToken };
    const { requestId } = context;
    const operation = endpoint.id;
    const actor: Actor = { kind: 'visitor', name: 'console', requestId, operation };
    const view = openView(AGENCY, clock());
    const change = (one: Parameters<typeof transact<void>>[2]) => transact(AGENCY, actor, one);
    await endpoint.prepare?.({ ...call, view, change });
    return await transact(
      AGENCY,
      actor,
      (work) => endpoint.write({ ...call, work }),
      async (after, reply) => responseOf(endpoint, await withData(after, reply)),
    );
  } finally {
    share.release();
  }
}
