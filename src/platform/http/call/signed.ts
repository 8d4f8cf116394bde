import { type CallResponse, responseOf, withData } from '../response.ts';
import type { IncomingMessage } from 'node:http';
import type { SignedEndpoint } from '#core/endpoint/signed-endpoint.ts';
import { AGENCY } from '#lib/id.ts';
import type { Actor, Work } from '#core/work.ts';
import { rateExceeded } from '../admission.ts';
import { checkParams, header, type CallDeps } from './checks.ts';
import type { PublicDeps } from './public.ts';
import { BODY_LIMIT_BYTES, readBytes } from '../body/read.ts';
import type { RoutedRequest } from '../funnel.ts';
import { visitorAddress, visitorNetwork } from '../visitor-address.ts';
import { workFor } from '../../process/activity.ts';

type SignedDeps = CallDeps &
  Pick<PublicDeps, 'limiter' | 'publicRates' | 'bodyBudget' | 'trustedProxies'>;

/**
 * Verifies the call, counts it against the endpoint's limit, and only then stores its payload. The
 * body counts against the budget of unverified bytes until it is verified.
 */
export async function callSigned(
  deps: SignedDeps,
  endpoint: SignedEndpoint,
  { context, params, node }: Pick<RoutedRequest, 'context' | 'params' | 'node'>,
): Promise<CallResponse> {
  checkParams(endpoint, params);
  const { openView, clock, tools, transact, baseUrl, bodyBudget, trustedProxies } = deps;
  const { id, verify, prepare, receive } = endpoint;
  const named = params['subAccountId'] ?? AGENCY;
  const address = visitorNetwork(visitorAddress(node, trustedProxies));
  const share = bodyBudget.open(node, address);
  const verified = await verify({
    params,
    view: openView(named, clock()),
    tools,
    header: (name) => header(node, name),
    url: publicUrl(baseUrl(), node),
    bytes: (limitBytes = BODY_LIMIT_BYTES) => readBytes(node, limitBytes, share),
  }).finally(share.release);
  const { by, payload, more = [], subAccountId = named } = verified;
  await count(deps, endpoint, params);
  context.subAccountId = subAccountId;
  workFor(subAccountId);
  const { requestId } = context;
  const actor: Actor = { kind: 'provider', name: by, requestId, operation: id };
  const change = (one: (work: Work) => Promise<void>) => transact(subAccountId, actor, one);
  const ingest = async (piece: typeof payload) => {
    const view = openView(subAccountId, clock());
    const prepared = await prepare?.({ params, payload: piece, view, tools, change });
    return transact(
      subAccountId,
      actor,
      (work) => receive({ params, payload: prepared ?? piece, work }),
      async (after, reply) => responseOf(endpoint, await withData(after, reply)),
    );
  };
  const answer = await ingest(payload);
  for (const piece of more) {
    await ingest(piece);
  }
  return answer;
}

/** Counts verified calls per called path: calls without a valid signature use up nothing. */
async function count(
  { limiter, publicRates, clock }: SignedDeps,
  { id, limit }: SignedEndpoint,
  params: RoutedRequest['params'],
): Promise<void> {
  if (limit === undefined) {
    return;
  }
  const bucket = ['public', limit, id, ...Object.values(params)].join(':');
  const spent = await limiter.consume(bucket, publicRates[limit], 1, 'refuse');
  if (spent.granted === 0) {
    throw rateExceeded(spent, publicRates[limit], clock());
  }
}

/** The URL as the caller sees it: the public address with the request's path, which proxies keep. */
const publicUrl = (baseUrl: string, { url = '/' }: IncomingMessage): string => baseUrl + url;
