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
/** Requests that are under way, and stay so until they are let go. */
const HELD = 24;
/** Longer than a turn goes on without having looked at its subscription. */
const UNSEEN_MS = 250;

type Received = Sink['requests'][number];

/** A turn with more to send than is under way. */
async function busyTurn() {
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
    /** Answers what is under way, and all that comes. */
    letGo(status = 204) {
      receiver.answer = (_, response) => response.writeHead(204).end();
      held.forEach((response) => response.writeHead(status).end());
    },
    /** What came after the change, once nothing is left to be done. */
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

describe('an attempt that has not begun when its subscription changes', () => {
  test.each([0, 60])('is signed with the new secret, grace %i s', async (gracePeriodSeconds) => {
    const turn = await busyTurn();
    const { secrets } = turn.delivering;
    const secret = await turn.change((work) =>
      regenerateSecret(work, secrets, { id: turn.id, gracePeriodSeconds }),
    );
    turn.letGo();
    const rest = await turn.rest();
    expect(rest).toHaveLength(EVENTS - HELD);
    expect(rest.filter((one) => !signedWith(String(secret), one))).toEqual([]);
    const previous = rest.filter(({ headers }) => 'x-webhook-signature-previous' in headers);
    expect(previous).toHaveLength(gracePeriodSeconds > 0 ? EVENTS - HELD : 0);
    expect(turn.receiver.requests.filter((one) => signedWith(SECRET, one))).toHaveLength(HELD);
    await turn.receiver.close();
  });

  test('goes to the new URL, which the old one cannot switch off any more', async () => {
    const turn = await busyTurn();
    const url = `${turn.receiver.url}/new`;
    await turn.change((work) => updateSubscription(work, turn.id, { url }));
    turn.letGo(410);
    const rest = await turn.rest();
    expect(new Set(rest.map(({ path }) => path))).toEqual(new Set(['/new']));
    expect(rest.length).toBeGreaterThanOrEqual(EVENTS - HELD);
    expect((await turn.delivering.subscription(turn.id)).status).toBe('active');
    await turn.receiver.close();
  });

  test.each([
    [
      'disabled',
      (id: string) => (work: Work) => updateSubscription(work, id, { status: 'disabled' }),
    ],
    ['deleted', (id: string) => (work: Work) => deleteSubscription(work, id)],
  ] as const)('goes to nobody where it was %s', async (_, change) => {
    const turn = await busyTurn();
    await turn.change(change(turn.id));
    turn.letGo();
    expect(await turn.rest()).toEqual([]);
    await turn.receiver.close();
  });
});
