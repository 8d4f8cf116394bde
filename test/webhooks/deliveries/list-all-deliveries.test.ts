import { expect, test } from 'vitest';
import { AGENCY, newId } from '#lib/id.ts';
import {
  followDeliveries,
  type DeliveryFilter,
} from '../../../src/webhooks/deliveries/list-all-deliveries.ts';
import { startDelivering } from '../../support/deliveries.ts';

const ATTEMPT_MS = 15_000;
const NOWHERE = 'http://127.0.0.1:1/';

/** Returns functions that write log rows and follow them. */
async function setUp() {
  const service = await startDelivering();
  const subAccountId = await service.subAccount();
  const subscriptionId = await service.subscribe(subAccountId, NOWHERE);
  const { rows } = service.database;
  return {
    service,
    subAccountId,
    subscriptionId,
    /** Writes an attempt that started the given time ago. */
    async attempt(status: string, secondsAgo = 0, subscription = subscriptionId) {
      const at = new Date(Date.now() - secondsAgo * 1_000);
      const id = newId(at);
      await rows(
        `insert into webhook_deliveries (sub_account_id, id, subscription_id, event_id, event,
           attempt, trigger, status, created_at, next_attempt_at)
         select sub_account_id, $1, id, gen_random_uuid(), 'task.created', 1, 'scheduled', $3, $4, $4
         from webhook_subscriptions where id = $2`,
        [id, subscription, status, at],
      );
      return id;
    },
    finish: (id: string, status = 'succeeded') =>
      rows('update webhook_deliveries set status = $2 where id = $1', [id, status]),
    follow(filter: DeliveryFilter = {}) {
      const look = followDeliveries(filter, ATTEMPT_MS);
      return async () => (await look(service.openView(AGENCY, new Date()))).map(({ id }) => id);
    },
  };
}

test('returns an attempt once, and none from before the first call', async () => {
  const { attempt, follow } = await setUp();
  await attempt('succeeded');
  const look = follow();
  expect(await look()).toEqual([]);
  const made = [await attempt('succeeded'), await attempt('failed')];
  expect(await look()).toEqual(made);
  expect(await look()).toEqual([]);
});

test('returns a slow attempt although later ones ended before it', async () => {
  const { attempt, follow } = await setUp();
  const look = follow();
  await look();
  const quick = await attempt('succeeded');
  expect(await look()).toEqual([quick]);
  const slow = await attempt('failed', ATTEMPT_MS / 1_000);
  expect(await look()).toEqual([slow]);
});

test('returns an attempt that was pending for hours once it is completed', async () => {
  const { attempt, finish, follow } = await setUp();
  const retry = await attempt('pending', 36_000);
  const look = follow();
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  await finish(retry);
  expect(await look()).toEqual([retry]);
  expect(await look()).toEqual([]);
});

test('returns only attempts that match the filter', async () => {
  const { service, subAccountId, subscriptionId, attempt, finish, follow } = await setUp();
  const otherSub = await service.subAccount();
  const elsewhere = await service.subscribe(otherSub, NOWHERE);
  const beside = await service.subscribe(subAccountId, NOWHERE);
  const followers = {
    all: follow(),
    ofSubAccount: follow({ subAccountId }),
    ofSubscription: follow({ subAccountId, subscriptionId }),
    failed: follow({ failed: true }),
  };
  const look = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(followers).map(async ([name, poll]) => [name, await poll()] as const),
      ),
    );
  const waits = await attempt('pending');
  await look();
  await finish(waits, 'failed');
  const [a, b] = [await attempt('succeeded', 0, beside), await attempt('failed', 0, elsewhere)];
  expect(await look()).toEqual({
    all: [waits, a, b],
    ofSubAccount: [waits, a],
    ofSubscription: [waits],
    failed: [waits, b],
  });
});
