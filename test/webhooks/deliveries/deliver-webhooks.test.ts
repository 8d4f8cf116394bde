import { listAllDeliveries } from '../../../src/webhooks/deliveries/list-all-deliveries.ts';
import { createHmac } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { startSink as sink } from '../../support/https-sink.ts';
import { SECRET, settled, startDelivering, WAIT } from '../../support/deliveries.ts';

const sha = (text: string) => `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;

describe('a delivery', () => {
  test('has the event, both signatures and a row in the log', async () => {
    const [receiver, delivering] = await Promise.all([sink(), startDelivering()]);
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, `${receiver.url}/hook?x=1`);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [request] = await receiver.next(1);
    const { headers, body, method, path } = request!;
    expect([method, path]).toEqual(['POST', '/hook?x=1']);
    const text = body.toString();
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Harbour Dental-Webhooks/1.0',
      'x-webhook-event': 'contact.created',
      'x-webhook-signature': sha(text),
      'x-webhook-signature-v2': sha(`${String(headers['x-webhook-timestamp'])}.${text}`),
    });
    expect(headers).not.toHaveProperty('x-webhook-signature-previous');
    const [event] = await delivering.database.rows<any>('select * from events');
    expect(headers['x-webhook-event-id']).toBe(event.id);
    expect(JSON.parse(text)).toEqual({
      event: 'contact.created',
      timestamp: event.occurred_at.toISOString(),
      data: {
        subAccountId: sub,
        locationId: expect.any(String),
        contactId: event.contact_id,
        ...event.data,
      },
    });
    const [row] = await settled(delivering, id, 1);
    expect(row).toMatchObject({
      id: headers['x-webhook-delivery'],
      eventId: event.id,
      event: 'contact.created',
      attempt: 1,
      trigger: 'scheduled',
      status: 'succeeded',
      error: null,
      nextAttemptAt: null,
    });
    expect(await delivering.subscription(id)).toMatchObject({
      consecutive_failures: 0,
      last_delivery_at: expect.any(Date),
      last_success_at: expect.any(Date),
    });
    await receiver.close();
  });

  test('follows the order of the events, and skips events that were not selected', async () => {
    const [receiver, delivering] = await Promise.all([sink(), startDelivering()]);
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url, ['contact.created']);
    const other = await delivering.subscribe(sub, receiver.url, ['contact.updated']);
    const names = await delivering.createContacts(sub, 60);
    await delivering.startWorker();
    await settled(delivering, id, 60);
    const begun = await delivering.database.rows<{ name: string }>(
      `select data->>'firstName' as name from webhook_deliveries d
       join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id order by d.id`,
    );
    expect(begun.map(({ name }) => name)).toEqual(names);
    expect(receiver.requests).toHaveLength(60);
    expect(await delivering.attempts(other)).toEqual([]);
    await receiver.close();
  });

  test('that fails is repeated after each wait, with the same event id and bytes', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.writeHead(503).end('busy');
    const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '50ms,100ms' });
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const rows = await settled(delivering, id, 3);
    expect(rows.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
      [3, 'failed'],
    ]);
    expect(rows[0]).toMatchObject({
      responseStatus: 503,
      responseBody: 'busy',
      error: 'the receiver returned 503',
      nextAttemptAt: expect.any(Date),
    });
    expect(rows[2]?.nextAttemptAt).toBeNull();
    const requests = receiver.requests;
    expect(requests).toHaveLength(3);
    const each = (name: string) => new Set(requests.map(({ headers }) => headers[name]));
    expect(each('x-webhook-event-id').size).toBe(1);
    expect(each('x-webhook-delivery').size).toBe(3);
    expect(each('x-webhook-timestamp').size).toBe(3);
    const view = delivering.openView(sub, new Date());
    const log = await listAllDeliveries(view, { subscriptionId: id }, 3);
    expect(log.toReversed().map(({ sentAt }) => Date.parse(sentAt ?? ''))).toEqual(
      requests.map(({ headers }) => Number(headers['x-webhook-timestamp'])),
    );
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(await delivering.subscription(id)).toMatchObject({
      status: 'active',
      consecutive_failures: 3,
      failing_since: expect.any(Date),
      last_success_at: null,
    });
    await receiver.close();
  });

  test.each([
    ['a redirect', 302, 'the receiver returned 302'],
    ['an error of the receiver', 500, 'the receiver returned 500'],
    ['a refusal', 404, 'the receiver returned 404'],
  ])('answered with %s has failed', async (_, status, error) => {
    const receiver = await sink();
    receiver.answer = (__, response) => response.writeHead(status, { location: '/else' }).end();
    const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '10m' });
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    await vi.waitFor(async () => expect(await delivering.attempts(id)).toHaveLength(2), WAIT);
    const [made, waiting] = await delivering.attempts(id);
    expect(made).toMatchObject({ status: 'failed', responseStatus: status, error });
    expect(waiting).toMatchObject({ attempt: 2, status: 'pending', responseStatus: null });
    expect(waiting?.nextAttemptAt).toEqual(made?.nextAttemptAt);
    expect(receiver.requests).toHaveLength(1);
    await receiver.close();
  });

  test('that hangs fails after the timeout', async () => {
    const receiver = await sink();
    receiver.answer = () => undefined;
    const delivering = await startDelivering({
      FRONTDESK_WEBHOOK_TIMEOUT: '200ms',
      FRONTDESK_WEBHOOK_RETRIES: '10m',
    });
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    await vi.waitFor(async () => expect(await delivering.attempts(id)).toHaveLength(2), WAIT);
    const [made] = await delivering.attempts(id);
    expect(made).toMatchObject({ status: 'failed', responseStatus: null, responseBody: null });
    expect(made?.error).toContain('200 ms');
    await receiver.close();
  });

  test('stores at most 4 kB of a response, as text', async () => {
    const receiver = await sink();
    receiver.answer = (_, response) => response.end(`\0${'ä'.repeat(100_000)}`);
    const delivering = await startDelivering();
    const sub = await delivering.subAccount();
    const id = await delivering.subscribe(sub, receiver.url);
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [row] = await settled(delivering, id, 1);
    expect(row?.status).toBe('succeeded');
    expect(row?.responseBody).toMatch(/^ä{1999}$/);
    await receiver.close();
  });
});
