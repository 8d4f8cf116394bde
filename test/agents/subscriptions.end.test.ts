import { describe, expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { keepHouse } from '../support/keep-house.ts';
import { endAgentSubscription } from '../../src/webhooks/agents/end-subscription.ts';
import type { Target } from '../../src/webhooks/deliveries/lease.ts';
import { OPERATOR } from '../support/service.ts';
import { eventsOf, PATIENCE, subscribed } from './subscriptions.support.ts';

describe('an expired subscription', () => {
  test('that is refreshed while a worker is about to end it goes on', async () => {
    const { delivering, subAccountId, receiver, refresh, rows } = await subscribed();
    const { database } = delivering;
    const [row] = await rows();
    await database.rows(`update webhook_subscriptions set expires_at = now() + interval '1 day'`);
    const agent = { keyId: row!['key_id'], handle: row!['handle'], isExpired: true };
    const stale = { agent, subAccountId, subscriptionId: row!['id'] } as unknown as Target;
    const context = { ...delivering, actor: OPERATOR } as unknown as JobContext;
    expect(await endAgentSubscription(stale, context)).toBe(false);
    await refresh();
    await delivering.startWorker();
    await delivering.createContacts(subAccountId, 1);
    await expect.poll(() => eventsOf(receiver), PATIENCE).toHaveLength(1);
    await database.rows(`update webhook_subscriptions set deleted_at = now()`);
    expect(await endAgentSubscription(stale, context)).toBe(true);
  });

  test('that was not refreshed is removed by housekeeping', async () => {
    const { delivering, rows } = await subscribed();
    await delivering.database.rows(
      `update webhook_subscriptions set expires_at = now() - interval '1 s'`,
    );
    await keepHouse(delivering);
    expect(await rows()).toEqual([]);
  });
});
