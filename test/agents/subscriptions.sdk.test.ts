import {
  createMCPClient,
  experimental_createMCPEventWebhook as createWebhook,
  type Experimental_MCPEvent as Event,
  type Experimental_MCPEventSubscription as Stored,
} from '@ai-sdk/mcp';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { revokeKey } from '../../src/accounts/keys/revoke-key.ts';
import { startSink } from '../support/https-sink.ts';
import { OPERATOR } from '../support/service.ts';
import { startWithAgent } from './subscriptions.support.ts';

/** What the SDK asks an application to keep. */
function memoryStore() {
  const stored = new Map<string, Stored>();
  return {
    stored,
    get: (key: string) => Promise.resolve(stored.get(key)),
    getById: (id: string) => Promise.resolve([...stored.values()].find((one) => one.id === id)),
    set: async (one: Stored) => void stored.set(one.key, one),
    update: async (key: string, patch: Partial<Stored>) =>
      void stored.set(key, { ...stored.get(key)!, ...patch }),
    delete: async (key: string) => void stored.delete(key),
  };
}

/** The client and the receiver of another vendor, which check every message of the protocol. */
async function startApplication(url: string, key: string) {
  const store = memoryStore();
  const events: Event[] = [];
  const ended: string[] = [];
  const handle = createWebhook({
    store,
    onEvent: async ({ event }) => void events.push(event),
    onTerminated: async ({ termination }) => void ended.push(JSON.stringify(termination.error)),
  });
  const receiver = await startSink({ https: true });
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { body } = receiver.requests.findLast((one) => one.headers === request.headers)!;
    const answer = await handle(
      new Request(new URL(request.url!, receiver.url), {
        method: 'POST',
        headers: request.headers as Record<string, string>,
        body: new Uint8Array(body),
      }),
    );
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
  receiver.answer = (request, response) => void pass(request, response);
  const client = await createMCPClient({
    transport: { type: 'http', url: `${url}/mcp`, headers: { authorization: `Bearer ${key}` } },
    experimental_events: { store },
  });
  onTestFinished(async () => {
    await client.close();
    await receiver.close();
  });
  const delivery = { mode: 'webhook', url: `${receiver.url}/hook` } as const;
  return { client: client.experimental_events, store, events, ended, delivery };
}

describe('the AI SDK', () => {
  test('subscribes, receives, refreshes and unsubscribes', async () => {
    const { delivering, server, subAccountId, key } = await startWithAgent();
    const app = await startApplication(server.url, key);
    await delivering.startWorker();
    const { events } = await app.client.list();
    expect(events.find(({ name }) => name === 'contact.created')?.delivery).toContain('webhook');

    const subscribed = await app.client.subscribe({
      name: 'contact.created',
      delivery: app.delivery,
      ttlMs: 3_600_000,
    });
    expect(subscribed).toMatchObject({ cursor: expect.any(String), truncated: false });
    await delivering.createContacts(subAccountId, 3);
    await expect.poll(() => app.events, { timeout: 60_000 }).toHaveLength(3);
    expect(app.events.map(({ data }) => data['contactId'])).toEqual(
      expect.arrayContaining([expect.any(String)]),
    );

    const { id } = subscribed;
    const refreshed = await app.client.refresh({ id });
    expect(refreshed).toMatchObject({ id, truncated: false });
    await delivering.createContacts(subAccountId, 1);
    await expect.poll(() => app.events, { timeout: 60_000 }).toHaveLength(4);
    expect(new Set(app.events.map(({ eventId }) => eventId)).size).toBe(4);

    await app.client.unsubscribe({ id });
    expect(app.store.stored.size).toBe(0);
    await expect(
      app.client.subscribe({ name: 'task.created', delivery: app.delivery }),
    ).rejects.toThrow('Unknown MCP event');
  });

  test('is told when its key is revoked, and gets no event after that', async () => {
    const { delivering, server, subAccountId, key, keyId } = await startWithAgent();
    const app = await startApplication(server.url, key);
    await delivering.startWorker();
    await app.client.subscribe({ name: 'contact.created', delivery: app.delivery, ttlMs: null });
    await delivering.transact(subAccountId, OPERATOR, (work) => revokeKey(work, { keyId }));
    await expect
      .poll(() => app.ended, { timeout: 60_000 })
      .toEqual([
        '{"code":-32012,"message":"Forbidden","data":{"reason":"the API key was revoked"}}',
      ]);
    expect(app.store.stored.size).toBe(0);
    const left = () =>
      delivering.database.rows('select 1 from webhook_subscriptions where deleted_at is null');
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    await delivering.createContacts(subAccountId, 1);
    expect(app.events).toEqual([]);
  });
});
