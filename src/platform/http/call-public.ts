import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#kit/endpoint.ts';
import { Fault } from '#kit/fault.ts';
import { AGENCY } from '#kit/id.ts';
import type { PublicLimit, PublicRates } from '#kit/public-limit.ts';
import type { RateLimiter } from '#kit/rate-limiter.ts';
import type { Actor, Work } from '#kit/work.ts';
import type { AllowList } from '../outbound/address-guard.ts';
import { rateLimited } from './admission.ts';
import { answered, EMPTY, settled, type Answered } from './answer.ts';
import { checkedBody, checkedQuery, checkParams, header, type CallDeps } from './call.ts';
import type { Streams } from './event-stream.ts';
import { setRateHeaders } from './headers.ts';
import { repeatableOf, visitorId } from './idempotency.ts';
import { BODY_LIMIT_BYTES, readBytes } from './read-body.ts';
import { readForm } from './read-form.ts';
import { repeatably } from './repeatably.ts';
import type { Exchange } from './respond.ts';
import { visitorAddress, visitorNetwork } from './visitor-address.ts';

export interface PublicDeps {
  readonly limiter: RateLimiter;
  readonly publicRates: PublicRates;
  readonly trustedProxies: AllowList;
  readonly streams: Streams;
}

/** One request of a visitor. */
interface Visit {
  readonly exchange: Exchange;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly node: IncomingMessage;
}

type PublicEndpoint = Endpoint & { readonly access: { readonly limit?: PublicLimit } };

/** Counts the visitor, checks path, query and body, finds whose the call is, and lets it be answered. */
export async function callPublic(
  deps: CallDeps & PublicDeps,
  endpoint: PublicEndpoint,
  { exchange, params, search, node }: Visit,
): Promise<Answered> {
  const visitor = visitorNetwork(visitorAddress(node, deps.trustedProxies));
  await count(deps, endpoint.access.limit, visitor, exchange);
  checkParams(endpoint, { params });
  const query = checkedQuery(endpoint, {
    search: isApi(endpoint) ? search : known(endpoint, search),
  });
  const isPost = endpoint.method !== 'GET';
  const bytes = isPost ? await readBytes(node, BODY_LIMIT_BYTES) : Buffer.alloc(0);
  const body = isPost ? readVisitorBody(endpoint, node, bytes) : undefined;
  const { openView, clock, tools } = deps;
  const asked: any = { params, query, body, tools, baseUrl: deps.baseUrl() };
  const subAccountId =
    (await endpoint.owner?.({ ...asked, view: openView(AGENCY, clock()) })) ?? AGENCY;
  exchange.subAccountId = subAccountId;
  const given = { ...asked, after: undefined };
  const view = openView(subAccountId, clock());
  if (endpoint.write) {
    const { requestId } = exchange;
    const writing = write(deps, endpoint, given, { subAccountId, requestId, node, bytes });
    return endpoint.page?.refused
      ? showingRefusals(endpoint, { ...given, view }, writing)
      : writing;
  }
  const { stream, read } = endpoint;
  if (stream) {
    const lastEventId = header(node, 'last-event-id');
    const events = (signal: AbortSignal) => stream({ ...given, view, lastEventId, signal });
    return { status: 200, text: '', stream: deps.streams.open(visitor, events) };
  }
  const answer = answered(endpoint, await settled(view, await read?.({ ...given, view })));
  return isKnown(answer, node) ? { ...answer, status: 304 } : answer;
}

const readVisitorBody = (endpoint: Endpoint, node: IncomingMessage, bytes: Buffer): unknown =>
  endpoint.page ? readForm(endpoint, node, bytes) : checkedBody(endpoint, { node }, bytes);

/** Calls are exact; links to pages and files carry what others hang on them: `?v=2`, `?utm_source=…`. */
const isApi = ({ path }: Endpoint): boolean => path.startsWith('/api/');

/** Of what stands in a link, what the page knows, and what comes twice once. */
function known({ query }: Endpoint, search: URLSearchParams): URLSearchParams {
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
  endpoint: Endpoint,
  given: any,
  writing: Promise<Answered>,
): Promise<Answered> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    return answered(endpoint, await endpoint.page?.refused?.(error, given));
  }
}

/** The caller has the very document. */
function isKnown({ document }: Answered, node: IncomingMessage): boolean {
  const etag = document?.headers?.['etag'];
  const known = header(node, 'if-none-match')?.split(',') ?? [];
  return etag !== undefined && known.some((one) => one.trim().replace(/^W\//, '') === etag);
}

/** What visitors may do is refused, not counted in memory, where the store of counts is away. */
async function count(
  { limiter, publicRates, clock }: CallDeps & PublicDeps,
  limit: PublicLimit | undefined,
  visitor: string,
  { headers }: Exchange,
): Promise<void> {
  if (limit === undefined) {
    return;
  }
  const rate = publicRates[limit];
  const spent = await limiter.spend(`public:${limit}:${visitor}`, rate, 1, 'refuse');
  setRateHeaders(headers, rate.limit, spent);
  if (spent.granted === 0) {
    throw rateLimited(spent.resetsAt - clock().getTime());
  }
}

interface Written extends Pick<Visit, 'node'> {
  readonly subAccountId: string;
  readonly requestId: string;
  readonly bytes: Buffer;
}

async function write(
  { transact, openView, clock }: CallDeps,
  endpoint: Endpoint,
  given: any,
  { subAccountId, requestId, node, bytes }: Written,
): Promise<Answered> {
  const actor: Actor = { kind: 'visitor', name: 'public', requestId, operation: endpoint.id };
  const view = openView(subAccountId, clock());
  const change = (one: (work: Work) => Promise<void>) => transact(subAccountId, actor, one);
  await endpoint.ready?.({ ...given, view, change });
  const perform = async (work: Work) => (await endpoint.write?.({ ...given, work })) ?? EMPTY;
  const key = endpoint.inNameOf && header(node, 'idempotency-key');
  if (endpoint.inNameOf && key !== undefined) {
    const visitor = visitorId(endpoint.inNameOf(given));
    const repeatable = repeatableOf(key, visitor, endpoint.path, bytes);
    return repeatably(transact, { endpoint, repeatable, subAccountId, actor, perform });
  }
  return transact(subAccountId, actor, perform, async (after, reply) =>
    answered(endpoint, await settled(after, reply)),
  );
}
