import { type CallResponse, setRateHeaders, responseOf, withData } from '../response.ts';
import type { IncomingMessage } from 'node:http';
import type { VisitorEndpoint } from '#core/endpoint/endpoint.ts';
import type { PageEndpoint } from '#core/endpoint/page-endpoint.ts';
import type { PublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import type { PublicLimit, PublicRates, RateLimiter } from '#core/rate-limit.ts';
import { Fault } from '#core/fault.ts';
import type { Actor, Work } from '#core/work.ts';
import { AGENCY, hashedId } from '#lib/id.ts';
import type { AllowList } from '../../outbound/guard.ts';
import { rateExceeded } from '../admission.ts';
import type { BodyBudget, BodyShare } from '../body/budget.ts';
import {
  BODY_LIMIT_BYTES,
  isMultipart,
  readForm,
  type CheckedBody,
  readBytes,
} from '../body/read.ts';
import type { Streams } from '../events.ts';
import type { RequestContext, RoutedRequest } from '../funnel.ts';
import { repeatableOf, writeOnce } from '../idempotency.ts';
import { visitorAddress, visitorNetwork } from '../visitor-address.ts';
import { workFor } from '../../process/activity.ts';
import {
  bodyLimitOf,
  checkedBody,
  checkedQuery,
  checkParams,
  costOf,
  header,
  type CallDeps,
} from './checks.ts';

export interface PublicDeps {
  readonly limiter: RateLimiter;
  readonly publicRates: PublicRates;
  readonly trustedProxies: AllowList;
  readonly streams: Streams;
  readonly bodyBudget: BodyBudget;
}

type Deps = CallDeps & PublicDeps;

/**
 * Counts the visitor, checks path, query and body, finds the called sub-account and responds. The body
 * counts against the budget of unverified bytes until then: visitors are never verified.
 */
export async function callPublic(
  deps: Deps,
  endpoint: VisitorEndpoint,
  visit: RoutedRequest,
): Promise<CallResponse> {
  const { context, params, node } = visit;
  const address = visitorNetwork(visitorAddress(node, deps.trustedProxies));
  const search = endpoint.kind === 'page' ? knownOnly(endpoint, visit.search) : visit.search;
  const cost = costOf(endpoint, { params, search, now: deps.clock() });
  const countedBy = endpoint.kind === 'page' ? endpoint.countedBy : undefined;
  if (countedBy !== undefined) {
    checkParams(endpoint, params);
  }
  const by = countedBy?.({ params, tools: deps.tools }) ?? address;
  const granted = await consume(deps, endpoint.limit, { by, cost }, context);
  checkParams(endpoint, params);
  const query = checkedQuery(endpoint, search);
  const share = deps.bodyBudget.open(node, address);
  try {
    const { tools, baseUrl } = deps;
    const call = { params, query, granted, tools, baseUrl: baseUrl() };
    return await callOwner(deps, endpoint, { ...visit, address, share, call });
  } finally {
    share.release();
  }
}

/** Returns the parameters that the page declares: other systems append theirs (`?utm_source=…`). */
function knownOnly({ query }: PageEndpoint, search: URLSearchParams): URLSearchParams {
  const names = Object.keys(query?.properties ?? {});
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
  );
}

/** Limits that are counted in this process alone while the rate limit store is down. */
const COUNTED_HERE: ReadonlySet<PublicLimit> = new Set(['availability', 'unsubscribe']);

/**
 * Returns how much of the cost is granted. Throws RATE_LIMITED if nothing is. While the rate limit
 * store is down, writes are refused, except those that unsubscribe.
 */
export async function consume(
  { limiter, publicRates, clock }: Pick<Deps, 'limiter' | 'publicRates' | 'clock'>,
  limit: PublicLimit | undefined,
  { by, cost }: { readonly by: string; readonly cost: number },
  { headers }: RequestContext,
): Promise<number> {
  if (limit === undefined) {
    return cost;
  }
  const rate = publicRates[limit];
  const bucket = `public:${limit}:${by}`;
  const spent =
    limit === 'public_read'
      ? limiter.consumeHere(bucket, rate, cost)
      : await limiter.consume(
          bucket,
          rate,
          cost,
          COUNTED_HERE.has(limit) ? 'count-here' : 'refuse',
        );
  setRateHeaders(headers, rate.limit, spent);
  if (spent.granted === 0) {
    throw rateExceeded(spent, rate, clock());
  }
  return spent.granted;
}

interface CheckedVisit extends RoutedRequest {
  readonly address: string;
  readonly share: BodyShare;
  /** The checked parts of the call, as handlers receive them. */
  readonly call: any;
}

async function callOwner(
  deps: Deps,
  endpoint: VisitorEndpoint,
  visit: CheckedVisit,
): Promise<CallResponse> {
  const { openView, clock } = deps;
  const { node, share } = visit;
  const ownerOf = async (body: CheckedBody | undefined): Promise<string> =>
    (await endpoint.owner?.({ ...visit.call, body, view: openView(AGENCY, clock()) })) ?? AGENCY;
  // The path of a page names its owner: the body of an unknown page is never read.
  const ownerInPath = endpoint.kind === 'page' ? await ownerOf(undefined) : undefined;
  const limit = await visitorBodyLimit(deps, endpoint, visit, ownerInPath);
  const { bytes, body } = await readVisitorBody(endpoint, node, share, limit);
  const subAccountId = ownerInPath ?? (await ownerOf(body));
  visit.context.subAccountId = subAccountId;
  workFor(subAccountId);
  const view = openView(subAccountId, clock());
  const call = { ...visit.call, body, view };
  if (endpoint.kind === 'stream') {
    const lastEventId = header(node, 'last-event-id');
    const follow = (signal: AbortSignal) => endpoint.stream({ ...call, lastEventId, signal });
    return { status: 200, text: '', stream: deps.streams.open(visit.address, follow) };
  }
  if (endpoint.method === 'POST') {
    return write(deps, endpoint, { ...visit, call, subAccountId, bytes });
  }
  const reply = await endpoint.read(call);
  const response = responseOf(endpoint, await withData(view, reply));
  if (isNotModified(response, node)) {
    return { ...response, status: 304 };
  }
  return reply.build ? { ...response, document: await reply.build() } : response;
}

/** Multipart bodies of a form with files may be larger, and are counted separately. */
async function visitorBodyLimit(
  deps: Deps,
  endpoint: VisitorEndpoint,
  { node, address, context, call }: CheckedVisit,
  owner: string | undefined,
): Promise<number> {
  const files = endpoint.kind === 'page' ? endpoint.files : undefined;
  if (!files || owner === undefined || !isMultipart(header(node, 'content-type'))) {
    return bodyLimitOf(endpoint, deps.tools);
  }
  const maxBytes = await files.maxBytes({ ...call, view: deps.openView(owner, deps.clock()) });
  if (maxBytes > BODY_LIMIT_BYTES) {
    await consume(deps, files.limit, { by: address, cost: 1 }, context);
  }
  return maxBytes;
}

interface VisitorBody {
  readonly bytes: Buffer;
  readonly body?: CheckedBody;
}

async function readVisitorBody(
  endpoint: VisitorEndpoint,
  node: IncomingMessage,
  share: BodyShare,
  limitBytes: number,
): Promise<VisitorBody> {
  if (endpoint.method === 'GET') {
    return { bytes: Buffer.alloc(0) };
  }
  const bytes = await readBytes(node, limitBytes, share);
  const body =
    endpoint.kind === 'page' ? readForm(endpoint, node, bytes) : checkedBody(endpoint, node, bytes);
  return { bytes, body };
}

/** Returns whether the caller already has this version of the document. */
function isNotModified({ document }: CallResponse, node: IncomingMessage): boolean {
  const etag = document?.headers?.['etag'];
  const known = header(node, 'if-none-match')?.split(',') ?? [];
  return etag !== undefined && known.some((one) => one.trim().replace(/^W\//, '') === etag);
}

type WritingEndpoint = (PublicEndpoint | PageEndpoint) & { readonly method: 'POST' };

interface VisitorWrite extends CheckedVisit {
  readonly subAccountId: string;
  readonly bytes: Buffer;
}

/** Runs the write. If it is refused, a page with a form shows the form again. */
async function write(
  deps: Deps,
  endpoint: WritingEndpoint,
  visit: VisitorWrite,
): Promise<CallResponse> {
  if (endpoint.kind === 'public' || !endpoint.refused) {
    return prepareAndWrite(deps, endpoint, visit);
  }
  try {
    return await prepareAndWrite(deps, endpoint, visit);
  } catch (error) {
    if (error instanceof Fault) {
      return responseOf(endpoint, await endpoint.refused(error, visit.call));
    }
    throw error;
  }
}

async function prepareAndWrite(
  { transact }: Deps,
  endpoint: WritingEndpoint,
  { call, subAccountId, context: { requestId }, node, path, bytes }: VisitorWrite,
): Promise<CallResponse> {
  const actor: Actor = { kind: 'visitor', name: 'public', requestId, operation: endpoint.id };
  const change = (one: (work: Work) => Promise<void>) => transact(subAccountId, actor, one);
  await endpoint.prepare?.({ ...call, change });
  const run = (work: Work) => endpoint.write({ ...call, work });
  const key = header(node, 'idempotency-key');
  if (key !== undefined && endpoint.kind === 'public' && endpoint.idempotencyOwner) {
    const keyId = hashedId(endpoint.idempotencyOwner(call));
    const repeatable = repeatableOf({ key, keyId, path, body: bytes });
    return writeOnce(transact, { endpoint, repeatable, subAccountId, actor, run });
  }
  return transact(subAccountId, actor, run, async (view, reply) =>
    responseOf(endpoint, await withData(view, reply)),
  );
}
