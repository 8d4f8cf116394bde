import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#kit/endpoint.ts';
import type { Actor } from '#kit/work.ts';
import { answered, settled, type Answered } from './answer.ts';
import { checkParams, header, type CallDeps } from './call.ts';
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

/** Lets the endpoint find out who calls it, and only then takes in what he tells. */
export async function callSigned(
  { openView, clock, tools, transact }: CallDeps,
  endpoint: Endpoint,
  { exchange, params, node }: Unproven,
): Promise<Answered> {
  checkParams(endpoint, { params });
  const { subAccountId = '' } = params;
  const { id, prove, receive } = endpoint;
  if (!prove || !receive) {
    throw new Error(`${id} neither proves nor receives`);
  }
  const { by, body } = await prove({
    params,
    view: openView(subAccountId, clock()),
    tools,
    header: (name) => header(node, name),
    bytes: () => readBytes(node, BODY_LIMIT_BYTES),
  });
  exchange.subAccountId = subAccountId;
  const { requestId } = exchange;
  const actor: Actor = { kind: 'provider', name: by, requestId, operation: id };
  return transact(
    subAccountId,
    actor,
    (work) => receive({ params, body, work }),
    async (after, reply) => answered(endpoint, await settled(after, reply)),
  );
}
