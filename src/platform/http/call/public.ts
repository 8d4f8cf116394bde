import type { IncomingMessage } from 'node:http';
import type { VisitorEndpoint } from '#core/endpoint/endpoint.ts';
import type { PageEndpoint } from '#core/endpoint/page-endpoint.ts';
import type { PublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { Fault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { PublicLimit, PublicRates } from '#core/endpoint/public-limit.ts';
import type { RateLimiter } from '#core/rate-limiter.ts';
import type { Actor, Work } from '#core/work.ts';
import type { AllowList } from '../../outbound/guard.ts';
import { rateLimited } from '../admission.ts';
import { answered, EMPTY, settled, type Answered } from '../answer.ts';
import { checkedBody, checkedQuery, checkParams, header, type CallDeps } from './keyed.ts';
import type { BodyBudget, BodyShare } from '../body/body-budget.ts';
import { costOf } from './cost-of.ts';
import type { Streams } from '../event-stream.ts';
import { setRateHeaders } from '../headers.ts';
import { repeatableOf, visitorId } from './idempotency.ts';
import { BODY_LIMIT_BYTES, readBytes } from '../body/read-body.ts';
import { readForm, type CheckedBody } from '../body/read-form.ts';
import { repeatably } from './repeatably.ts';
import type { RequestContext } from '../respond.ts';
import { visitorAddress, visitorNetwork } from '../visitor-address.ts';

export interface PublicDeps {
  readonly limiter: RateLimiter;
  readonly publicRates: PublicRates;
  readonly trustedProxies: AllowList;
  readonly streams: Streams;
  readonly bodyBudget: BodyBudget;
}

/** One request of a visitor. */
interface Visit {
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  /** As it was requested. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly node: IncomingMessage;
}

/**
 * Counts the visitor, checks path, query and body, finds the sub-account that is called, and answers.
 * The body counts against the budget of unverified bytes until then: no visitor is verified.
 */
export async function callPublic(
  deps: CallDeps & PublicDeps,
  endpoint: VisitorEndpoint,
  visit: Visit,
): Promise<Answered> {
  const { context, params, node } = visit;
  const address = visitorNetwork(visitorAddress(node, deps.trustedProxies));
  const search = endpoint.kind === 'page' ? known(endpoint, visit.search) : visit.search;
  const cost = costOf(endpoint, { params, search, now: deps.clock() });
  const granted = await count(deps, endpoint.limit, { address, cost }, context);
  checkParams(endpoint, { params });
  const query = checkedQuery(endpoint, { search });
  const share = deps.bodyBudget.open(node, address);
  try {
    const asked = { params, query, granted, after: undefined };
    return await answerVisit(deps, endpoint, { ...visit, address, share, asked });
  } finally {
    share.release();
  }
}

interface CheckedVisit extends Visit {
  readonly address: string;
  readonly share: BodyShare;
  readonly asked: { readonly params: Visit['params']; readonly query: unknown };
}

async function answerVisit(
  deps: CallDeps & PublicDeps,
  endpoint: VisitorEndpoint,
  { context, path, node, address, share, asked: checked }: CheckedVisit,
): Promise<Answered> {
  const { openView, clock, tools, baseUrl } = deps;
  const asked: any = { ...checked, tools, baseUrl: baseUrl() };
  const ownerOf = async (body: CheckedBody | undefined): Promise<string> =>
    (await endpoint.owner?.({ ...asked, body, view: openView(AGENCY, clock()) })) ?? AGENCY;
  // The path of a page names its owner: a body sent to an unknown page is never read.
  const ownerInPath = endpoint.kind === 'page' ? await ownerOf(undefined) : undefined;
  const { bytes, body } = await readVisitorBody(endpoint, node, share);
  const subAccountId = ownerInPath ?? (await ownerOf(body));
  context.subAccountId = subAccountId;
  const given = { ...asked, body };
  const view = openView(subAccountId, clock());
  if (endpoint.kind === 'stream') {
    const { stream } = endpoint;
    const lastEventId = header(node, 'last-event-id');
    const events = (signal: AbortSignal) => stream({ ...given, view, lastEventId, signal });
    return { status: 200, text: '', stream: deps.streams.open(address, events) };
  }
  if (endpoint.write) {
    const { requestId } = context;
    const writing = write(deps, endpoint, given, { subAccountId, requestId, path, node, bytes });
    return showingRefusals(endpoint, { ...given, view }, writing);
  }
  const answer = answered(endpoint, await settled(view, await endpoint.read({ ...given, view })));
  return isKnown(answer, node) ? { ...answer, status: 304 } : answer;
}

interface VisitorBody {
  readonly bytes: Buffer;
  readonly body?: CheckedBody;
}

async function readVisitorBody(
  endpoint: VisitorEndpoint,
  node: IncomingMessage,
  share: BodyShare,
): Promise<VisitorBody> {
  if (endpoint.method === 'GET') {
    return { bytes: Buffer.alloc(0) };
  }
  const bytes = await readBytes(node, BODY_LIMIT_BYTES, share);
  const body =
    endpoint.kind === 'page'
      ? await readForm(endpoint, node, bytes)
      : checkedBody(endpoint, { node }, bytes);
  return { bytes, body };
}

/** Only the parameters that the page knows: other systems append theirs to links (`?utm_source=…`). */
function known({ query }: PageEndpoint, search: URLSearchParams): URLSearchParams {
  const names = Object.keys(query?.properties ?? {});
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
  );
}

/** A person who filled in a form is told in the form what was wrong with it. */
async function showingRefusals(
  endpoint: PublicEndpoint | PageEndpoint,
  given: any,
  writing: Promise<Answered>,
): Promise<Answered> {
  try {
    return await writing;
  } catch (error) {
    if (endpoint.kind !== 'page' || !endpoint.refused || !(error instanceof Fault)) {
      throw error;
    }
    return answered(endpoint, await endpoint.refused(error, given));
  }
}

/** The caller has the very document. */
function isKnown({ document }: Answered, node: IncomingMessage): boolean {
  const etag = document?.headers?.['etag'];
  const known = header(node, 'if-none-match')?.split(',') ?? [];
  return etag !== undefined && known.some((one) => one.trim().replace(/^W\//, '') === etag);
}

interface Counted {
  readonly address: string;
  readonly cost: number;
}

/**
 * Returns how much of the cost is granted; throws RATE_LIMITED where nothing is. While the store of
 * counts is unavailable, writes are refused, and reads are counted in this process alone.
 */
async function count(
  { limiter, publicRates, clock }: CallDeps & PublicDeps,
  limit: PublicLimit | undefined,
  { address, cost }: Counted,
  { headers }: RequestContext,
): Promise<number> {
  if (limit === undefined) {
    return cost;
  }
  const rate = publicRates[limit];
  const whenStoreIsDown = limit === 'availability' ? 'count-here' : 'refuse';
  const spent = await limiter.consume(`public:${limit}:${address}`, rate, cost, whenStoreIsDown);
  setRateHeaders(headers, rate.limit, spent);
  if (spent.granted === 0) {
    throw rateLimited(spent.resetsAt - clock().getTime());
  }
  return spent.granted;
}

interface Written extends Pick<Visit, 'node' | 'path'> {
  readonly subAccountId: string;
  readonly requestId: string;
  readonly bytes: Buffer;
}

async function write(
  { transact, openView, clock }: CallDeps,
  endpoint: PublicEndpoint | PageEndpoint,
  given: any,
  { subAccountId, requestId, path, node, bytes }: Written,
): Promise<Answered> {
  const actor: Actor = { kind: 'visitor', name: 'public', requestId, operation: endpoint.id };
  const view = openView(subAccountId, clock());
  const change = (one: (work: Work) => Promise<void>) => transact(subAccountId, actor, one);
  await endpoint.prepare?.({ ...given, view, change });
  const run = async (work: Work) => (await endpoint.write?.({ ...given, work })) ?? EMPTY;
  const key = header(node, 'idempotency-key');
  if (key !== undefined && endpoint.kind === 'public' && endpoint.idempotencyOwner) {
    const visitor = visitorId(endpoint.idempotencyOwner(given));
    const repeatable = repeatableOf(key, visitor, path, bytes);
    return repeatably(transact, { endpoint, repeatable, subAccountId, actor, run });
  }
  return transact(subAccountId, actor, run, async (after, reply) =>
    answered(endpoint, await settled(after, reply)),
  );
}
