import { randomBytes } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { Scope } from '#core/scope.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import { startDelivering, type Delivering } from '../support/deliveries.ts';
import { startSink, trustSinks, type Sink } from '../support/https-sink.ts';
import { openServer } from '../support/server.ts';
import { OPERATOR } from '../support/service.ts';

export type Json = Record<string, any>;

export const newSecret = (bytes = 32): string => `whsec_${randomBytes(bytes).toString('base64')}`;

/** A receiver that confirms challenges and accepts events. */
export async function startReceiver(): Promise<Sink> {
  const receiver = await startSink({ https: true });
  receiver.answer = (request, response) => {
    const { challenge } = bodyOf(receiver, request.headers);
    response.end(JSON.stringify({ challenge }));
  };
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Returns the body of the request with these headers, which is stored already. */
function bodyOf(receiver: Sink, headers: object): Json {
  const request = receiver.requests.findLast((one) => one.headers === headers);
  return JSON.parse(request?.body.toString() ?? '{}') as Json;
}

export const bodies = (receiver: Sink): Json[] =>
  receiver.requests.map(({ body }) => JSON.parse(body.toString()) as Json);

/** Events that a receiver got, without challenges. */
export const eventsOf = (receiver: Sink): Json[] =>
  bodies(receiver).filter(({ type }) => type === undefined);

/** A server and a worker of one database, and an agent with a key of these scopes. */
export async function startWithAgent(scopes: readonly Scope[] = ['contacts:read']) {
  trustSinks();
  const variables = {
    FRONTDESK_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    FRONTDESK_WEBHOOK_RETRIES: '50ms',
  };
  const delivering = await startDelivering(variables);
  const { databaseUrl, transact } = delivering;
  const network = { outboundAllow: ['127.0.0.0/8'] };
  const server = await openServer({ databaseUrl, network });
  onTestFinished(() => server.stop());
  const subAccountId = await delivering.subAccount();
  const issue = (given: readonly Scope[]) =>
    transact(subAccountId, OPERATOR, async (work) => {
      const { key, apiKey } = await createKey(work, { name: 'Agent', scopes: given });
      return { key, keyId: apiKey.id };
    });
  const post = async (key: string, path: string, method: string, body?: object) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Json;
  };
  const { key, keyId } = await issue(scopes);
  /** Sends a request of the protocol; returns its result, or its error. */
  const send = async (method: string, params: object, as = key): Promise<Json> => {
    const body = await post(as, '/mcp', 'POST', { jsonrpc: '2.0', id: 1, method, params });
    return (body['result'] ?? { error: body['error'] }) as Json;
  };
  return { delivering, server, subAccountId, key, keyId, issue, post, send };
}

/** A request to be called for new contacts. */
export const callback = (url: string, secret = newSecret()) => ({
  name: 'contact.created',
  delivery: { mode: 'webhook', url, secret },
});

export const PATIENCE = { timeout: 60_000 };

/** Waits until no delivery is queued or due. */
export async function settled({ database }: Pick<Delivering, 'database'>): Promise<void> {
  const left = () =>
    database.rows(
      `select 1 from outbox union all
       select 1 from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'webhooks/deliver'`,
    );
  await expect.poll(left, PATIENCE).toEqual([]);
}
