import { newId } from '#lib/id.ts';
import {
  countDelivered,
  countReplay,
  replayDeliveries,
} from '../../../src/webhooks/deliveries/replay-deliveries.ts';
import { expect } from '../../support/service.ts';
import {
  addSubAccount,
  countsReads,
  growthOf,
  LINEAR,
  statementsOf,
  statementsOfChange,
  testWith,
} from '../../support/unknown-sub-account.ts';

const SUBSCRIPTION = `insert into webhook_subscriptions (sub_account_id, id, url, events, status, secret,
    position, created_at, updated_at)
  values ($1, $2, 'http://127.0.0.1:1/', '{*}', 'active', '', 0, now(), now())`;
const EVENTS = `insert into events (sub_account_id, id, position, name, data, occurred_at)
  select $1, gen_random_uuid(), nextval('event_positions'), 'contact.created', '{}', now()
  from generate_series(1, $2::int)`;
const DELIVERIES = `insert into webhook_deliveries (sub_account_id, id, subscription_id, event_id, event,
    attempt, trigger, status, created_at)
  select $1, gen_random_uuid(), $2, id, name, 1, 'scheduled', 'failed', now()
  from events where sub_account_id = $1`;

const test = testWith(async (service, rows) => {
  const subAccountId = await addSubAccount(service);
  const subscriptionId = newId(new Date());
  await service.database.rows(SUBSCRIPTION, [subAccountId, subscriptionId]);
  await service.database.rows(EVENTS, [subAccountId, rows]);
  await service.database.rows(DELIVERIES, [subAccountId, subscriptionId]);
  return { subAccountId, subscriptionId, rows };
});

const SINCE = new Date(0);

test.runIf(countsReads)(
  'a replay of an unknown sub-account reads its events and deliveries a few times at most',
  async ({ running, filled }) => {
    const growth = await growthOf(running, filled, ({ subAccountId, subscriptionId, rows }) =>
      statementsOfChange(running, subAccountId, async (work) => {
        expect(await replayDeliveries(work, { subscriptionId, since: SINCE })).toBe(rows);
      }),
    );
    expect(growth).toBeLessThan(LINEAR);
  },
);

test.runIf(countsReads)('so do its counts', async ({ running, filled }) => {
  const growth = await growthOf(running, filled, ({ subAccountId, subscriptionId, rows }) =>
    statementsOf(async () => {
      const view = running.openView(subAccountId, new Date());
      for (const only of ['all', 'failed'] as const) {
        expect(await countReplay(view, { subscriptionId, since: SINCE, only })).toBe(rows);
      }
      expect(await countDelivered(view, { subscriptionId, since: SINCE })).toBe(0);
    }),
  );
  expect(growth).toBeLessThan(LINEAR);
});
