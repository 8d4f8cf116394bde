import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import { sendTest } from '../../../src/webhooks/deliveries/send-test.ts';
import { databaseNow, expectWait, skewed, SKEWS } from '../../support/clock-skew.ts';
import { settled, startDelivering, WAIT, type Delivering } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';

/** The subscription of a receiver that answers with these statuses in order, and repeats the last one. */
async function subscribed(
  clock: () => Date,
  { retries, statuses }: { retries: string; statuses: readonly number[] },
) {
  const receiver = await startSink();
  onTestFinished(receiver.close);
  receiver.answer = (_, response) =>
    response.writeHead(statuses[receiver.requests.length - 1] ?? statuses.at(-1) ?? 200).end();
  const delivering = await startDelivering({ FRONTDESK_WEBHOOK_RETRIES: retries }, clock);
  const subAccountId = await delivering.subAccount();
  const id = await delivering.subscribe(subAccountId, receiver.url);
  return { delivering, receiver, subAccountId, id };
}

/** Waits until a further failure is recorded and the job of the subscription waits; returns its time. */
const nextJob = ({ database }: Delivering, id: string, failures = 0): Promise<Date> =>
  vi.waitFor(async () => {
    const [job] = await database.rows<{ runAt: Date }>(NEXT_JOB, [id, failures]);
    expect(job).toBeDefined();
    return job!.runAt;
  }, WAIT);

const NEXT_JOB = `select j.run_at as "runAt" from graphile_worker.jobs j
  join webhook_subscriptions s on j.key = 'webhooks/deliver:' || s.id
  where s.id = $1 and s.consecutive_failures > $2 and s.turn is null and j.locked_at is null`;

const FAILING = `update webhook_subscriptions
  set consecutive_failures = $2, failing_since = now() - interval '1 d' where id = $1`;

/** More failures than open the breaker: it pauses for 30 seconds. */
const BROKEN = 5_000;

describe.each(SKEWS)('deliveries of a worker whose clock is %s', (_, skewMs) => {
  const clock = skewed(skewMs);

  test('are repeated after their wait', async () => {
    const { delivering, subAccountId, id } = await subscribed(clock, {
      retries: '30m',
      statuses: [500],
    });
    const since = await databaseNow(delivering);
    await delivering.createContacts(subAccountId, 1);
    await delivering.startWorker();
    const runAt = await nextJob(delivering, id);
    const [failed, next] = await delivering.attempts(id);
    const jitter = { waitMs: 24 * MINUTE_MS, atMostMs: 36 * MINUTE_MS };
    await expectWait(delivering, next?.nextAttemptAt, { since, ...jitter });
    expect(failed?.nextAttemptAt).toEqual(next?.nextAttemptAt);
    expect(runAt).toEqual(next?.nextAttemptAt);
    const { failing_since } = await delivering.subscription(id);
    await expectWait(delivering, failing_since, { since, waitMs: 0 });
  });

  test('are repeated as soon as they are due', async () => {
    const { delivering, subAccountId, id } = await subscribed(clock, {
      retries: '50ms',
      statuses: [500, 200],
    });
    await delivering.createContacts(subAccountId, 1);
    await delivering.startWorker();
    const rows = await settled(delivering, id, 2);
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('pause for the time of the breaker', async () => {
    const { delivering, receiver, subAccountId, id } = await subscribed(clock, {
      retries: '30m',
      statuses: [500],
    });
    await delivering.database.rows(FAILING, [id, BROKEN]);
    const since = await databaseNow(delivering);
    await delivering.createContacts(subAccountId, 2);
    await delivering.startWorker();
    await expectWait(delivering, await nextJob(delivering, id, BROKEN), { since, waitMs: 30_000 });
    const { paused_until } = await delivering.subscription(id);
    await expectWait(delivering, paused_until, { since, waitMs: 30_000 });
    expect(receiver.requests).toHaveLength(1);
  });

  test('that are made by hand are due at once', async () => {
    const { delivering, subAccountId, id } = await subscribed(clock, {
      retries: '30m',
      statuses: [200],
    });
    await delivering.transact(subAccountId, OPERATOR, (work) => sendTest(work, id));
    await delivering.startWorker();
    expect(await settled(delivering, id, 1)).toMatchObject([
      { trigger: 'manual', status: 'succeeded' },
    ]);
  });
});

test('a clock that jumps a week ahead disables no receiver that has failed for a day', async () => {
  const { delivering, subAccountId, id } = await subscribed(skewed(7 * DAY_MS), {
    retries: '30m',
    statuses: [500],
  });
  await delivering.database.rows(FAILING, [id, 1]);
  await delivering.createContacts(subAccountId, 1);
  await delivering.startWorker();
  await nextJob(delivering, id, 1);
  expect(await delivering.subscription(id)).toMatchObject({
    status: 'active',
    consecutive_failures: 2,
  });
});
