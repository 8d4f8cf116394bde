import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { dueAttempts } from '../../../src/webhooks/deliveries/attempt-queue.ts';
import type { Target } from '../../../src/webhooks/deliveries/lease.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { insertUnchecked } from '../../support/unchecked-rows.ts';
import {
  addSubAccount,
  countsReads,
  ESTABLISHED,
  FEW,
  LINEAR,
  MANY,
  readsOf,
  statementsOf,
} from '../../support/unknown-sub-account.ts';

const EVENTS = `insert into events (sub_account_id, id, position, name, data, occurred_at)
  select $1, gen_random_uuid(), n, 'contact.created', '{}', now()
  from generate_series(1, $2::int) as n where $3::uuid is not null`;
/** Every twentieth event is replayed beside its retry, which waits. */
const ATTEMPTS = `insert into webhook_deliveries (sub_account_id, id, subscription_id, event_id, event,
    attempt, trigger, status, created_at, next_attempt_at)
  select $1, gen_random_uuid(), $3, id, name, 2, trigger, 'pending', now(), now() - interval '1 h'
  from events cross join unnest(array['scheduled', 'manual']) as trigger
  where sub_account_id = $1 and (trigger = 'scheduled' or position % 20 = 0 and $2::int > 0)`;

async function failedDeliveries(service: Delivering, rows: number) {
  const subAccountId = await addSubAccount(service);
  const subscriptionId = newId(new Date());
  await insertUnchecked(service, [subAccountId, rows, subscriptionId], [EVENTS, ATTEMPTS]);
  return { subAccountId, subscriptionId };
}

async function readsOfDue(service: Delivering, rows: number): Promise<number> {
  const { subAccountId, subscriptionId } = await failedDeliveries(service, rows);
  const view = service.openView(subAccountId, new Date());
  const target = { subscriptionId, isActive: true } as unknown as Target;
  const sent = await statementsOf(async () =>
    expect(await dueAttempts(view, target, MANY)).toHaveLength(rows),
  );
  return readsOf(service, sent);
}

test.runIf(countsReads)(
  'due attempts are read once in a sub-account that the statistics do not know yet',
  async () => {
    const service = await startDelivering();
    await failedDeliveries(service, ESTABLISHED);
    await service.database.rows('analyze');
    const few = await readsOfDue(service, FEW);
    expect(await readsOfDue(service, MANY)).toBeLessThan(LINEAR * few);
  },
);
