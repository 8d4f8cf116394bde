import { expect, onTestFinished, test, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { ENDED_ITS_WORKERS } from '#platform/queue/give-up.ts';
import { handleDeliverWebhooks } from '../../../src/webhooks/deliveries/deliver-webhooks.ts';
import { type Delivering, settled, startDelivering, WAIT } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';

test('a subscription whose job ended three workers loses no event, and continues', async () => {
  const { sink, delivering, sub, id } = await arrange();
  const names = await delivering.createContacts(sub, 3);
  await countDeaths(delivering, id);
  await delivering.startWorker();

  const rows = await settled(delivering, id, 6);
  expect(rows.map(({ attempt, status, error }) => [attempt, status, error])).toEqual([
    ...names.map(() => [1, 'failed', ENDED_ITS_WORKERS]),
    ...names.map(() => [2, 'succeeded', null]),
  ]);
  expect(sink.requests).toHaveLength(names.length);
  await delivering.createContacts(sub, 1);
  await settled(delivering, id, 7);
  expect(await delivering.subscription(id)).toMatchObject({
    status: 'active',
    consecutive_failures: 0,
    failing_since: null,
  });
});

test('it is disabled if the attempts after that end three workers again', async () => {
  const { sink, delivering, sub, id } = await arrange('1h');
  await delivering.createContacts(sub, 1);
  await countDeaths(delivering, id);
  await delivering.startWorker();
  await vi.waitFor(async () => {
    const rows = await delivering.attempts(id);
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'pending']);
  }, WAIT);

  await countDeaths(delivering, id);
  await vi.waitFor(async () => {
    expect(await delivering.subscription(id)).toMatchObject({
      status: 'disabled',
      disabled_reason: ENDED_ITS_WORKERS,
    });
  }, WAIT);
  const [first, second] = await settled(delivering, id, 2);
  expect([first?.error, second?.error]).toEqual([
    ENDED_ITS_WORKERS,
    'the subscription was disabled',
  ]);
  expect(sink.requests).toEqual([]);
});

test('a worker that dies while it gives the job up does not count as the three workers of the repeats', async () => {
  const { delivering, sub, id } = await arrange();
  await delivering.createContacts(sub, 1);
  await delivering.database.rows('select publish_events(1000)');
  const giveUp = giveUpOf(delivering, sub, id);
  await giveUp();
  await giveUp();
  expect((await delivering.subscription(id)).status).toBe('active');
  const rows = await delivering.attempts(id);
  expect(rows.map(({ status }) => status)).toEqual(['failed', 'pending']);
});

test('a disabled subscription stays where it stopped', async () => {
  const { delivering, sub, id } = await arrange();
  await delivering.createContacts(sub, 1);
  await delivering.database.rows('select publish_events(1000)');
  await delivering.database.rows(
    `update webhook_subscriptions set status = 'disabled' where id = $1`,
    [id],
  );
  await giveUpOf(delivering, sub, id)();
  expect(await delivering.subscription(id)).toMatchObject({ status: 'disabled', position: 0 });
  expect(await delivering.attempts(id)).toEqual([]);
});

/** Returns a function that gives up the same job each time. */
function giveUpOf(delivering: Delivering, subAccountId: string, subscriptionId: string) {
  const context = {
    ...delivering,
    actor: OPERATOR,
    settings: { webhookRetries: [3_600_000] },
    queuedAt: new Date(),
  } as unknown as JobContext;
  return () => handleDeliverWebhooks.giveUp?.({ subAccountId, subscriptionId }, context);
}

async function arrange(retries = '100ms') {
  const sink = await startSink();
  onTestFinished(() => sink.close());
  const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: retries });
  const sub = await delivering.subAccount();
  const id = await delivering.subscribe(sub, sink.url);
  return { sink, delivering, sub, id };
}

/** Lets the job of the subscription look as if three workers had ended while they ran it alone. */
async function countDeaths({ database }: Delivering, id: string): Promise<void> {
  await database.rows('select publish_events(1000)');
  await vi.waitFor(async () => {
    const changed = await database.rows(
      `update graphile_worker._private_jobs set flags = '{"deaths": 3, "deathsAlone": 3}', run_at = now()
       where key = $1 and locked_by is null returning id`,
      [`webhooks/deliver:${id}`],
    );
    expect(changed).toHaveLength(1);
  }, WAIT);
}
