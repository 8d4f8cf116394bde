import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Work } from '#core/work.ts';
import { deleteSubscription } from '../../../src/webhooks/subscriptions/delete-subscription.ts';
import { regenerateSecret } from '../../../src/webhooks/subscriptions/regenerate-secret.ts';
import { updateSubscription } from '../../../src/webhooks/subscriptions/update-subscription.ts';
import { SECRET, startDelivering, WAIT } from '../../support/deliveries.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';

const EVENTS = 60;
/** The number of requests in flight, which get no response until `release`. */
const HELD = 24;
/** Longer than a check of the subscription is valid. */
const UNSEEN_MS = 250;

type Received = Sink['requests'][number];

/** Starts a delivery with more events than requests in flight. */
async function busyDelivery() {
  const receiver = await startSink();
  const held: ServerResponse[] = [];
  receiver.answer = (_, response) => void held.push(response);
  const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '200ms' });
  const sub = await delivering.subAccount();
  const id = await delivering.subscribe(sub, `${receiver.url}/old`);
  await delivering.createContacts(sub, EVENTS);
  await delivering.startWorker();
  await vi.waitFor(() => expect(held).toHaveLength(HELD), WAIT);
  return {
    delivering,
    receiver,
    id,
    async change(act: (work: Work) => Promise<unknown>) {
      const answer = await delivering.transact(sub, OPERATOR, act);
      await sleep(UNSEEN_MS);
      return answer;
    },
    /** Responds to the requests in flight, and to all later ones. */
    release(status = 204) {
      receiver.answer = (_, response) => response.writeHead(204).end();
      held.forEach((response) => response.writeHead(status).end());
    },
    /** Returns the requests after the change, once no job is left. */
    async rest(): Promise<readonly Received[]> {
      await vi.waitFor(async () => {
        const jobs = await delivering.database.rows('select from graphile_worker._private_jobs');
        expect(jobs).toEqual([]);
      }, WAIT);
      return receiver.requests.slice(HELD);
    },
  };
}

const signedWith = (secret: string, { headers, body }: Received) =>
  headers['x-webhook-signature'] ===
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe('an attempt that has not started when its subscription changes', () => {
  test.each([0, 60])('is signed with the new secret, grace %i s', async (gracePeriodSeconds) => {
    const delivery = await busyDelivery();
    const { secrets } = delivery.delivering;
    const secret = await delivery.change((work) =>
      regenerateSecret(work, secrets, { id: delivery.id, gracePeriodSeconds }),
    );
    delivery.release();
    const rest = await delivery.rest();
    expect(rest).toHaveLength(EVENTS - HELD);
    expect(rest.filter((one) => !signedWith(String(secret), one))).toEqual([]);
    const previous = rest.filter(({ headers }) => 'x-webhook-signature-previous' in headers);
    expect(previous).toHaveLength(gracePeriodSeconds > 0 ? EVENTS - HELD : 0);
    expect(delivery.receiver.requests.filter((one) => signedWith(SECRET, one))).toHaveLength(HELD);
    await delivery.receiver.close();
  });

  test('goes to the new URL, and a response of the old URL does not disable the subscription', async () => {
    const delivery = await busyDelivery();
    const url = `${delivery.receiver.url}/new`;
    await delivery.change((work) => updateSubscription(work, delivery.id, { url }));
    delivery.release(410);
    const rest = await delivery.rest();
    expect(new Set(rest.map(({ path }) => path))).toEqual(new Set(['/new']));
    expect(rest.length).toBeGreaterThanOrEqual(EVENTS - HELD);
    expect((await delivery.delivering.subscription(delivery.id)).status).toBe('active');
    await delivery.receiver.close();
  });

  test.each([
    [
      'disabled',
      (id: string) => (work: Work) => updateSubscription(work, id, { status: 'disabled' }),
    ],
    ['deleted', (id: string) => (work: Work) => deleteSubscription(work, id)],
  ] as const)('is not made if it was %s', async (_, change) => {
    const delivery = await busyDelivery();
    await delivery.change(change(delivery.id));
    delivery.release();
    expect(await delivery.rest()).toEqual([]);
    await delivery.receiver.close();
  });
});
