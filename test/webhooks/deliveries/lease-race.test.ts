import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleDeliverWebhooks } from '../../../src/webhooks/deliveries/deliver-webhooks.ts';
import { releaseLease } from '../../../src/webhooks/deliveries/lease.ts';
import { queueDelivery } from '../../../src/webhooks/deliveries/webhooks.jobs.ts';
import { databaseNow, expectWait, skewed, SKEWS } from '../../support/clock-skew.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { OPERATOR } from '../../support/service.ts';

const HOLDER = 'the first job';
const TIMES = 20;

const LEASE = `update webhook_subscriptions set turn = $2, turn_until = now() + interval '10 s',
  asked_again = false where id = $1`;
/** How late the job of the subscription is, in seconds. */
const WAIT_OF_JOB = `select extract(epoch from run_at - now())::float8 as "waitS"
  from graphile_worker.jobs where key = 'webhooks/deliver:' || $1`;

/** Ends the lease as the job that has it does. */
const endLease = ({ transact }: Delivering, subAccountId: string, subscriptionId: string) =>
  transact(subAccountId, OPERATOR, async (work) => {
    const lease = { subAccountId, subscriptionId, holder: HOLDER };
    const { askedAgain } = await releaseLease(work, lease);
    if (askedAgain) {
      queueDelivery(work, subscriptionId);
    }
  });

/** Returns the seconds until a job delivers what was published while another job had the lease. */
async function waitAfter(
  delivering: Delivering,
  ids: { readonly subAccountId: string; readonly subscriptionId: string },
  order: (end: () => Promise<void>) => Pick<JobContext, 'transact'>,
): Promise<number> {
  const { database, openView, clock, tools } = delivering;
  await database.rows(LEASE, [ids.subscriptionId, HOLDER]);
  const end = () => endLease(delivering, ids.subAccountId, ids.subscriptionId);
  const context = { openView, clock, tools, actor: OPERATOR, ...order(end) };
  await handleDeliverWebhooks.handle(ids, context as unknown as JobContext);
  const [job] = await database.rows<{ waitS: number }>(WAIT_OF_JOB, [ids.subscriptionId]);
  return job?.waitS ?? Infinity;
}

async function subscribed(clock?: () => Date) {
  const delivering = await startDelivering({}, clock);
  const subAccountId = await delivering.subAccount();
  const subscriptionId = await delivering.subscribe(subAccountId, 'http://127.0.0.1:1/hook');
  return { delivering, ids: { subAccountId, subscriptionId } };
}

test('a job that finds a lease which ends at that moment is queued for now', async () => {
  const { delivering, ids } = await subscribed();
  const wait = await waitAfter(delivering, ids, (end) => ({
    transact: async (...change) => {
      await end();
      return delivering.transact(...change);
    },
  }));
  expect(wait).toBeLessThanOrEqual(0);
});

test('a job and the end of the lease that it finds leave a job for now, twenty times', async () => {
  const { delivering, ids } = await subscribed();
  for (let time = 0; time < TIMES; time += 1) {
    let ended: Promise<void> | undefined;
    const wait = await waitAfter(delivering, ids, (end) => ({
      transact: async (...change) => {
        const queued = delivering.transact(...change);
        ended = end();
        await ended;
        return queued;
      },
    }));
    expect(wait, `time ${time + 1}`).toBeLessThanOrEqual(0);
  }
});

const RUN_AT = `select run_at as "runAt" from graphile_worker.jobs
  where key = 'webhooks/deliver:' || $1`;

test.each(SKEWS)(
  'a job that finds a lease is queued for its end, by a process whose clock is %s',
  async (_, skewMs) => {
    const { delivering, ids } = await subscribed(skewed(skewMs));
    const { database, transact } = delivering;
    const since = await databaseNow(delivering);
    await waitAfter(delivering, ids, () => ({ transact }));
    const [job] = await database.rows<{ runAt: Date }>(RUN_AT, [ids.subscriptionId]);
    expect(job?.runAt).toBeInstanceOf(Date);
    await expectWait(delivering, job?.runAt, { since, waitMs: 10_000 });
  },
);
