import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { startDelivering } from '../../support/deliveries.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';
import { createSubscription } from '../../../src/webhooks/subscriptions/create-subscription.ts';
import { regenerateSecret } from '../../../src/webhooks/subscriptions/regenerate-secret.ts';

/** A subscription to a local receiver, with the secret that the API would return. */
async function subscribed() {
  const receiver = await startSink();
  const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '10ms' });
  const { transact, secrets } = delivering;
  const sub = await delivering.subAccount();
  const given = { url: receiver.url, events: ['contact.created'] };
  const { id, secret } = await transact(sub, OPERATOR, (work) =>
    createSubscription(work, secrets, given),
  );
  return { receiver, delivering, sub, id, secret };
}

type Received = Sink['requests'][number];

const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const verified = (secret: string, request: Received): any =>
  new Webhook(secret).verify(request.body.toString(), headersOf(request));

describe('a delivery by Standard Webhooks', () => {
  test('is verified by the package, with the secret as shown', async () => {
    const { receiver, delivering, sub, secret } = await subscribed();
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [request] = await receiver.next(1);
    expect(verified(secret, request!)).toMatchObject({ event: 'contact.created' });
    expect(headersOf(request!)['webhook-id']).toBe(headersOf(request!)['x-webhook-event-id']);
    expect(() => verified(`whsec_${'A'.repeat(40)}`, request!)).toThrow('No matching signature');
    const forged = { ...request!, body: Buffer.from(`${request!.body.toString()} `) };
    expect(() => verified(secret, forged)).toThrow('No matching signature');
    await receiver.close();
  });

  test('has the same id and a new signature in every attempt', async () => {
    const { receiver, delivering, sub, secret } = await subscribed();
    receiver.answer = (_, response) =>
      response.writeHead(receiver.requests.length > 1 ? 204 : 500).end();
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [first, second] = await receiver.next(2);
    expect(headersOf(second!)['webhook-id']).toBe(headersOf(first!)['webhook-id']);
    expect(headersOf(second!)['x-webhook-delivery']).not.toBe(
      headersOf(first!)['x-webhook-delivery'],
    );
    for (const request of [first!, second!]) {
      expect(verified(secret, request)).toMatchObject({ event: 'contact.created' });
    }
    await receiver.close();
  });

  test('is signed with both secrets during a grace period, and with the new one only after it', async () => {
    const { receiver, delivering, sub, id, secret: old } = await subscribed();
    const { transact, secrets, database } = delivering;
    const renewed = await transact(sub, OPERATOR, (work) =>
      regenerateSecret(work, secrets, { id, gracePeriodSeconds: 3_600 }),
    );
    await delivering.startWorker();
    await delivering.createContacts(sub, 1);
    const [during] = await receiver.next(1);
    expect(headersOf(during!)['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of [old, renewed]) {
      expect(verified(secret, during!)).toMatchObject({ event: 'contact.created' });
    }
    await database.rows(
      `update webhook_subscriptions
       set previous_until = now() - interval '1 s', updated_at = now() where id = $1`,
      [id],
    );
    await delivering.createContacts(sub, 1);
    const [, after] = await receiver.next(2);
    expect(verified(renewed, after!)).toMatchObject({ event: 'contact.created' });
    expect(() => verified(old, after!)).toThrow('No matching signature');
    await receiver.close();
  });
});
