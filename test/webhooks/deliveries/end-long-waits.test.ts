import type { JobContext } from '#core/job.ts';
import { DAY_MS, HOUR_MS } from '#lib/duration.ts';
import { handleEndLongWaits } from '../../../src/webhooks/deliveries/end-long-waits.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../../support/service.ts';
import { attempt, subscribe } from '../subscriptions/subscriptions.support.ts';

const endWaits = (service: TestService, webhookRetries: readonly number[]): Promise<void> =>
  handleEndLongWaits.handle({}, {
    ...service,
    actor: OPERATOR,
    settings: { webhookRetries },
  } as unknown as JobContext);

describe('waits that began while the clock of the database was ahead', () => {
  const AHEAD_BY = `interval '2 days'`;

  async function waitingSubscription(service: TestService) {
    const { database, subAccountId } = service;
    const { id: subscription_id } = await subscribe(service);
    const id = await attempt(service, { subscription_id });
    const longer = async () => {
      await database.rows(
        `update webhook_subscriptions set paused_until = now() + ${AHEAD_BY} where id = $1`,
        [subscription_id],
      );
      await database.rows(
        `update webhook_deliveries set next_attempt_at = now() + ${AHEAD_BY} where id = $1`,
        [id],
      );
    };
    const state = async () => {
      const [row] = await database.rows<any>(
        `select s.paused_until > now() as "isPaused", d.next_attempt_at <= now() as "isDue",
           exists (select from graphile_worker.jobs j
             where j.key = 'webhooks/deliver:' || s.id and j.run_at <= now()) as "isQueued"
         from webhook_subscriptions s
         join webhook_deliveries d on d.sub_account_id = s.sub_account_id and d.subscription_id = s.id
         where s.sub_account_id = $1 and s.id = $2`,
        [subAccountId, subscription_id],
      );
      return row;
    };
    return { longer, state, subscription_id };
  }

  test('end, also those of attempts', async ({ service }) => {
    const { longer, state } = await waitingSubscription(service);
    await longer();
    await endWaits(service, [HOUR_MS]);
    expect(await state()).toEqual({ isPaused: null, isDue: true, isQueued: true });
    expect(await service.eventNames()).toEqual([]);
  });

  test('stay if they are as long as waits may be', async ({ service }) => {
    const { longer, state, subscription_id } = await waitingSubscription(service);
    await longer();
    await service.database.rows(
      `update webhook_subscriptions set paused_until = now() + interval '20 s' where id = $1`,
      [subscription_id],
    );
    await endWaits(service, [DAY_MS]);
    expect(await state()).toEqual({ isPaused: true, isDue: false, isQueued: false });
  });
});
