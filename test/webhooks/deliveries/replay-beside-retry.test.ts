import { expect, test, vi } from 'vitest';
import { replayDeliveries } from '../../../src/webhooks/deliveries/replay-deliveries.ts';
import { startDelivering, WAIT } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';

/** Replays an event whose first attempt failed and whose second one is due at the same time. */
async function replayed(statuses: readonly number[]) {
  const [receiver, delivering] = await Promise.all([
    startSink(),
    startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '1h' }),
  ]);
  receiver.answer = (_request, response) => {
    response.statusCode = statuses[receiver.requests.length - 1] ?? 204;
    response.end();
  };
  const sub = await delivering.subAccount();
  const id = await delivering.subscribe(sub, receiver.url);
  const worker = await delivering.startWorker();
  await delivering.createContacts(sub, 1);
  await vi.waitFor(async () => expect(await delivering.attempts(id)).toHaveLength(2), WAIT);
  await worker.stop();
  await delivering.database.rows(
    `update webhook_deliveries set next_attempt_at = now() where status = 'pending'`,
  );
  const replay = { subscriptionId: id, since: new Date(0) };
  await delivering.transact(sub, OPERATOR, (work) => replayDeliveries(work, replay));
  await delivering.startWorker();
  const outcomes = async () =>
    (await delivering.attempts(id)).map(({ trigger, status }) => `${trigger} ${status}`);
  return { outcomes, receiver };
}

test('a replayed event arrives once, even if its next attempt is due', async () => {
  const { outcomes, receiver } = await replayed([500, 204]);
  await vi.waitFor(
    async () => expect(await outcomes()).toEqual(['scheduled failed', 'manual succeeded']),
    WAIT,
  );
  expect(receiver.requests).toHaveLength(2);
  await receiver.close();
});

test('if the replay fails, the next attempt is made', async () => {
  const { outcomes, receiver } = await replayed([500, 500, 204]);
  await vi.waitFor(
    async () =>
      expect((await outcomes()).toSorted()).toEqual([
        'manual failed',
        'scheduled failed',
        'scheduled succeeded',
      ]),
    WAIT,
  );
  expect(receiver.requests).toHaveLength(3);
  await receiver.close();
});
