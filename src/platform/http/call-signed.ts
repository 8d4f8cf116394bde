import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#kit/endpoint.ts';
import { AGENCY } from '#kit/id.ts';
import type { PublicLimit } from '#kit/public-limit.ts';
import type { Actor } from '#kit/work.ts';
import { rateLimited } from './admission.ts';
import { answered, settled, type Answered } from './answer.ts';
import { checkParams, header, type CallDeps } from './call.ts';
import type { PublicDeps } from './call-public.ts';
import { readBytes } from './read-body.ts';
import type { Exchange } from './respond.ts';

/** Mails come this way, attachments included (contract 5). */
const BODY_LIMIT_BYTES = 25 * 1024 * 1024;

/** One request that brings no key. */
interface Unproven {
  readonly exchange: Exchange;
  readonly params: Readonly<Record<string, string>>;
  readonly node: IncomingMessage;
}

type SignedEndpoint = Endpoint & { readonly access: { readonly limit?: PublicLimit } };

/**
 * Lets the endpoint find out who calls it, counts the call where it is limited, and only then takes
 * in what he tells.
 */
export async function callSigned(
  deps: CallDeps & Pick<PublicDeps, 'limiter' | 'publicRates'>,
  endpoint: SignedEndpoint,
  { exchange, params, node }: Unproven,
): Promise<Answered> {
  checkParams(endpoint, { params });
  const { openView, clock, tools, transact, baseUrl } = deps;
  const subAccountId = await ownerOf(deps, endpoint, params);
  const { id, prove, receive } = endpoint;
  if (!prove || !receive) {
    throw new Error(`${id} neither proves nor receives`);
  }
  const {
    by,
    told,
    more = [],
  } = await prove({
    params,
    view: openView(subAccountId, clock()),
    tools,
    header: (name) => header(node, name),
    url: publicUrl(baseUrl(), node),
    bytes: () => readBytes(node, BODY_LIMIT_BYTES),
  });
  await count(deps, endpoint, params);
  exchange.subAccountId = subAccountId;
  const { requestId } = exchange;
  const actor: Actor = { kind: 'provider', name: by, requestId, operation: id };
  const takeIn = (piece: typeof told) =>
    transact(
      subAccountId,
      actor,
      (work) => receive({ params, told: piece, work }),
      async (after, reply) => answered(endpoint, await settled(after, reply)),
    );
  const answer = await takeIn(told);
  for (const piece of more) {
    await takeIn(piece);
  }
  return answer;
}

/** Named in the path, or found by what is. */
async function ownerOf(
  { openView, clock, tools }: CallDeps,
  { owner }: Endpoint,
  params: Unproven['params'],
): Promise<string> {
  const view = openView(AGENCY, clock());
  const found = await owner?.({ params, query: undefined, body: undefined, tools, view });
  return found ?? params['subAccountId'] ?? '';
}

/** Per address that is called: whoever cannot sign uses up nothing of what its caller may do. */
async function count(
  { limiter, publicRates, clock }: CallDeps & Pick<PublicDeps, 'limiter' | 'publicRates'>,
  { id, access: { limit } }: SignedEndpoint,
  params: Unproven['params'],
): Promise<void> {
  if (limit === undefined) {
    return;
  }
  const bucket = ['public', limit, id, ...Object.values(params)].join(':');
  const spent = await limiter.spend(bucket, publicRates[limit], 1, 'refuse');
  if (spent.granted === 0) {
    throw rateLimited(spent.resetsAt - clock().getTime());
  }
}

/** The request target as it was sent, behind the public address: what lies in between keeps paths. */
const publicUrl = (baseUrl: string, { url = '/' }: IncomingMessage): string =>
  baseUrl.replace(/\/$/, '') + url;
