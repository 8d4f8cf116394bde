import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { setKeyScopes } from '../../src/accounts/keys/set-key-scopes.ts';
import { disableSubscription } from '../../src/webhooks/subscriptions/disable.ts';
import { OPERATOR } from '../support/service.ts';
import {
  bodies,
  callback,
  eventsOf,
  newSecret,
  PATIENCE,
  settled,
  startReceiver,
  subscribed,
  type Json,
} from './subscriptions.support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a subscription', () => {
  test('is confirmed by the callback before anything is sent to it', async () => {
    const { receiver, secret, answer, rows, delivering } = await subscribed();
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
      refreshBefore: expect.stringMatching(/Z$/),
      cursor: expect.any(String),
      truncated: false,
    });
    const [request] = receiver.requests;
    expect(receiver.requests).toHaveLength(1);
    expect(request!.path).toBe('/hook?token=1');
    expect(request!.headers).toMatchObject({
      'x-mcp-subscription-id': answer['id'],
      'webhook-id': expect.stringMatching(/^msg_verification_/),
      'content-type': 'application/json',
    });
    const headers = request!.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request!.body.toString(), headers)).toEqual({
      type: 'verification',
      challenge: expect.any(String),
    });
    const [row] = await rows();
    expect(row).toMatchObject({ events: ['contact.created'], description: 'MCP events of node' });
    expect(await delivering.database.rows('select name from outbox')).toEqual([]);
    expect(
      await delivering.database.rows(
        `select operation, actor_kind from audit_entries where actor_kind = 'agent'`,
      ),
    ).toEqual([{ operation: 'events.subscribe', actor_kind: 'agent' }]);
  });

  test('delivers occurrences with the signature of Standard Webhooks, and a cursor to go on from', async () => {
    const { delivering, subAccountId, receiver, secret, answer, send } = await subscribed();
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 1);
    await receiver.next(2);
    const { headers, body } = receiver.requests[1]!;
    const event = new Webhook(secret).verify(
      body.toString(),
      headers as Record<string, string>,
    ) as Json;
    expect(event).toEqual({
      eventId: headers['webhook-id'],
      name: 'contact.created',
      timestamp: expect.stringMatching(/Z$/),
      data: expect.objectContaining({ subAccountId, firstName: 'Guest 1' }),
      cursor: expect.any(String),
    });
    expect(headers['x-mcp-subscription-id']).toBe(answer['id']);
    const polled = await send('events/poll', { name: 'contact.created', cursor: event['cursor'] });
    expect(polled['events'].map(({ eventId }: Json) => eventId)).toEqual([event['eventId']]);
  });

  test('is narrowed to a contact', async () => {
    const { delivering, subAccountId, send, answer } = await subscribed();
    const receiver = await startReceiver();
    await delivering.createContacts(subAccountId, 2);
    const [, second] = await delivering.database.rows<Json>('select id from contacts order by id');
    const contactId = second!['id'];
    const narrowed = { arguments: { contactId }, cursor: answer['cursor'] };
    await send('events/subscribe', { ...callback(receiver.url), ...narrowed });
    await delivering.startWorker();
    await expect.poll(() => eventsOf(receiver), PATIENCE).toHaveLength(1);
    await settled(delivering);
    expect(eventsOf(receiver).map(({ data }) => data.contactId)).toEqual([contactId]);
  });

  test('has the lifetime that was wished, between a minute and 30 days, or none', async () => {
    const { refresh, rows } = await subscribed();
    const lifetimeOf = async (ttlMs: number | null | undefined) => {
      const { refreshBefore } = await refresh(ttlMs === undefined ? {} : { ttlMs });
      return refreshBefore === null ? null : Date.parse(refreshBefore) - Date.now();
    };
    const about = (ms: number) => [ms - MINUTE_MS, ms + 1] as const;
    for (const [ttlMs, [least, most]] of [
      [undefined, about(24 * HOUR_MS)],
      [2 * HOUR_MS, about(2 * HOUR_MS)],
      [1, about(MINUTE_MS)],
      [900 * 24 * HOUR_MS, about(30 * 24 * HOUR_MS)],
    ] as const) {
      const lifetime = await lifetimeOf(ttlMs);
      expect(lifetime).toBeGreaterThan(least);
      expect(lifetime).toBeLessThanOrEqual(most);
    }
    expect(await lifetimeOf(null)).toBeNull();
    expect(await rows()).toMatchObject([{ expires_at: null }]);
  });

  test('is refreshed under its id, without another challenge', async () => {
    const { refresh, answer, receiver, rows } = await subscribed();
    const again = await refresh();
    expect(again).toMatchObject({
      id: answer['id'],
      deliveryStatus: { active: true, lastDeliveryAt: null, lastError: null },
    });
    expect(await rows()).toHaveLength(1);
    const other = await refresh({ arguments: { contactId: crypto.randomUUID() } });
    expect(other['id']).not.toBe(answer['id']);
    expect(receiver.requests).toHaveLength(1);
    await Promise.all(Array.from({ length: 8 }, () => refresh({ name: 'contact.updated' })));
    expect(await rows()).toHaveLength(3);
  });

  test('is signed with the old and the new secret after a change', async () => {
    const { delivering, subAccountId, receiver, secret, params, refresh } = await subscribed();
    const next = newSecret(64);
    await refresh({ delivery: { ...params.delivery, secret: next } });
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 1);
    await receiver.next(2);
    const { headers, body } = receiver.requests[1]!;
    for (const one of [secret, next]) {
      const event = new Webhook(one).verify(body.toString(), headers as Record<string, string>);
      expect(event).toMatchObject({ name: 'contact.created' });
    }
  });

  test('that expired is not served, and its place in the feed is the cursor', async () => {
    const { delivering, subAccountId, receiver, answer, refresh, rows } = await subscribed();
    const { database } = delivering;
    await database.rows(`update webhook_subscriptions set expires_at = now() - interval '1 s'`);
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 2);
    await expect.poll(rows, PATIENCE).toEqual([]);
    expect(eventsOf(receiver)).toEqual([]);
    const again = await refresh({ cursor: answer['cursor'] });
    expect(again).toMatchObject({ id: answer['id'], truncated: false });
    await expect.poll(() => eventsOf(receiver), PATIENCE).toHaveLength(2);
  });

  test('leaves out events that are older than wished, and says so', async () => {
    const { delivering, subAccountId, send, answer } = await subscribed();
    const receiver = await startReceiver();
    await delivering.createContacts(subAccountId, 2);
    const { cursor } = answer;
    await send('events/poll', { name: 'contact.created', cursor });
    await delivering.database.rows(
      `update events set occurred_at = $1
       where position = (select min(position) from events)`,
      [new Date(Date.now() - 60 * MINUTE_MS)],
    );
    const refreshed = await send('events/subscribe', {
      ...callback(receiver.url),
      cursor,
      maxAgeMs: 30 * MINUTE_MS,
    });
    expect(refreshed).toMatchObject({ truncated: true });
    await delivering.startWorker();
    await expect.poll(() => eventsOf(receiver), PATIENCE).toHaveLength(1);
    expect(eventsOf(receiver)[0]!['data'].firstName).toBe('Guest 2');
  });

  test.each([410, 413])('survives a %i, which refuses one event for good', async (status) => {
    const { delivering, subAccountId, receiver, rows } = await subscribed();
    receiver.answer = (_, response) => void response.writeHead(status).end();
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 2);
    await expect.poll(() => eventsOf(receiver), PATIENCE).toHaveLength(2);
    await settled(delivering);
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'active' });
    expect(await delivering.attempts(row!['id'])).toMatchObject([
      { status: 'failed', attempt: 1 },
      { status: 'failed', attempt: 1 },
    ]);
  });

  test('that was disabled goes on where it stopped when it is refreshed', async () => {
    const { delivering, subAccountId, receiver, refresh, rows } = await subscribed();
    const [row] = await rows();
    const id = row!['id'];
    await delivering.transact(subAccountId, OPERATOR, async (work) =>
      disableSubscription(work, id, 'every attempt failed for 5 days'),
    );
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 1);
    expect(await refresh()).toMatchObject({ deliveryStatus: { active: false } });
    await expect.poll(() => eventsOf(receiver), PATIENCE).toHaveLength(1);
    expect(await refresh()).toMatchObject({ deliveryStatus: { active: true, lastError: null } });
  });

  test('ends when its key loses the scope', async () => {
    const { delivering, subAccountId, keyId, receiver, rows, refresh } = await subscribed();
    await delivering.startWorker();
    await delivering.transact(subAccountId, OPERATOR, (work) =>
      setKeyScopes(work, { keyId, scopes: ['tasks:read'] }),
    );
    await expect.poll(rows, PATIENCE).toEqual([]);
    expect(bodies(receiver).at(-1)).toMatchObject({
      type: 'terminated',
      error: { data: { reason: 'the API key has lost the scope contacts:read' } },
    });
    await delivering.createContacts(subAccountId, 1);
    await settled(delivering);
    expect(eventsOf(receiver)).toEqual([]);
    expect((await refresh())['error'].code).toBe(-32_012);
  });

  test('ends by events/unsubscribe, and only for its own key', async () => {
    const { delivering, subAccountId, issue, send, params, receiver, rows } = await subscribed();
    const given = { name: params.name, delivery: { url: params.delivery.url } };
    const other = await issue(['contacts:read']);
    const foreign = await send('events/unsubscribe', given, other.key);
    expect(foreign['error']).toMatchObject({ code: -32_011, data: { kind: 'subscription' } });
    expect(await send('events/unsubscribe', given)).not.toHaveProperty('error');
    expect(await rows()).toEqual([]);
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 1);
    await settled(delivering);
    expect(eventsOf(receiver)).toEqual([]);
    expect((await send('events/unsubscribe', given))['error'].code).toBe(-32_011);
  });

  test('is listed by the API, which cannot send it elsewhere', async () => {
    const { issue, post, rows } = await subscribed();
    const { key } = await issue(['webhooks:manage']);
    const [row] = await rows();
    const path = `/api/v1/webhooks/${row!['id']}`;
    expect((await post(key, '/api/v1/webhooks', 'GET'))['data']).toHaveLength(1);
    for (const [line, method, body] of [
      [path, 'PATCH', { url: 'https://127.0.0.1/elsewhere' }],
      [path, 'PATCH', { events: ['*'] }],
      [`${path}/regenerate-secret`, 'POST', {}],
    ] as const) {
      const { error } = await post(key, line, method, body);
      expect(error.details).toMatchObject({ reason: 'subscription_of_agent' });
    }
    expect((await post(key, path, 'PATCH', { status: 'disabled' }))['data'].status).toBe(
      'disabled',
    );
    expect((await post(key, path, 'DELETE'))['data'].deleted).toBe(true);
  });
});
