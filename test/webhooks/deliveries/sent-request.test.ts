import { describe, expect, test, vi } from 'vitest';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';
import { createSubscription } from '../../../src/webhooks/subscriptions/create-subscription.ts';
import { regenerateSecret } from '../../../src/webhooks/subscriptions/regenerate-secret.ts';
import { readSentRequest, storedHeaders } from '../../../src/webhooks/deliveries/sent-request.ts';

async function subscribed() {
  const receiver = await startSink();
  const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '10ms' });
  const sub = await delivering.subAccount();
  const given = { url: receiver.url, events: ['contact.created'] };
  const { id } = await delivering.transact(sub, OPERATOR, (work) =>
    createSubscription(work, delivering.secrets, given),
  );
  return { receiver, delivering, sub, id };
}

type Received = Sink['requests'][number];

/** The recorded request and response of what a receiver got, once the attempt is logged. */
async function recorded({ openView, database }: Delivering, sub: string, { headers }: Received) {
  const id = String(headers['x-webhook-delivery']);
  await vi.waitFor(async () => {
    const sql = `select 1 from webhook_deliveries where id = $1 and status <> 'pending'`;
    expect(await database.rows(sql, [id])).toHaveLength(1);
  }, 20_000);
  return readSentRequest(openView(sub, new Date()), id);
}

const SIGNATURES = ['webhook-signature', 'x-webhook-signature', 'x-webhook-signature-v2'];
/** Added by the connection. */
const OF_TRANSPORT = new Set(['host', 'connection', 'content-length']);

function expectSame(request: any, received: Received) {
  const sent = Object.entries(received.headers).filter(([name]) => !OF_TRANSPORT.has(name));
  expect(Object.keys(request.headers).toSorted()).toEqual(sent.map(([name]) => name).toSorted());
  const isSigned = ([name]: readonly [string, unknown]) => name.includes('signature');
  const shown = Object.entries<string>(request.headers);
  for (const [, value] of shown.filter(isSigned)) {
    expect(value).toMatch(/^(?:sha256=|v1,)\*{3}(?: v1,\*{3})?$/);
  }
  const plain = (entries: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(entries.filter((entry) => !isSigned(entry)));
  expect(plain(shown)).toEqual(plain(sent));
  expect(request.body).toBe(received.body.toString());
}

describe('the request of an attempt', () => {
  test('is shown as the receiver got it, with masked signatures, in every attempt', async () => {
    const { receiver, delivering, sub } = await subscribed();
    receiver.answer = (_, response) =>
      response
        .writeHead(receiver.requests.length > 1 ? 202 : 500, {
          'x-trace': 't1',
          'set-cookie': 'a=b',
        })
        .end('thanks');
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [first, second] = await receiver.next(2);
    for (const [received, status] of [
      [first!, 500],
      [second!, 202],
    ] as const) {
      const { request, response } = await recorded(delivering, sub, received);
      expect(request?.url).toBe(receiver.url);
      expectSame(request, received);
      expect(SIGNATURES.every((name) => request?.headers[name] !== undefined)).toBe(true);
      expect(response).toMatchObject({ status, body: 'thanks', headers: { 'x-trace': 't1' } });
      expect(response?.headers).not.toHaveProperty('set-cookie');
    }
    await receiver.close();
  });

  test('keeps its URL, and the signature of the previous secret, when the subscription changes', async () => {
    const { receiver, delivering, sub, id } = await subscribed();
    const { transact, secrets, database } = delivering;
    await transact(sub, OPERATOR, (work) =>
      regenerateSecret(work, secrets, { id, gracePeriodSeconds: 3600 }),
    );
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [received] = await receiver.next(1);
    await recorded(delivering, sub, received!);
    await database.rows(
      `update webhook_subscriptions set url = 'https://other.example', previous_secret = null,
         previous_until = null`,
      [],
    );
    const { request } = await recorded(delivering, sub, received!);
    expect(request?.url).toBe(receiver.url);
    expect(request?.headers).toHaveProperty('x-webhook-signature-previous', 'sha256=***');
    expectSame(request, received!);
    await receiver.close();
  });

  test('has no body once the event is deleted, and no request while it is pending', async () => {
    const { receiver, delivering, sub } = await subscribed();
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [received] = await receiver.next(1);
    await recorded(delivering, sub, received!);
    const { database, openView } = delivering;
    await database.rows('delete from events', []);
    expect((await recorded(delivering, sub, received!)).request?.body).toBeNull();
    const id = String(received!.headers['x-webhook-delivery']);
    const pending = `update webhook_deliveries set status = 'pending', response_status = null,
      next_attempt_at = now()`;
    await database.rows(pending, []);
    expect(await readSentRequest(openView(sub, new Date()), id)).toEqual({
      request: null,
      response: null,
    });
    await receiver.close();
  });
});

test('the stored headers of a response are bounded', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'v'.repeat(1_000)]),
  );
  expect(JSON.stringify(storedHeaders(many)).length).toBeLessThan(2_200);
  expect(storedHeaders({ a: `1\0${'2'.repeat(400)}` })['a']).toBe(`1${'2'.repeat(298)}`);
});
