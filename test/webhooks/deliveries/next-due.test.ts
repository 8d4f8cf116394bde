import { newId } from '#lib/id.ts';
import { nextDue } from '../../../src/webhooks/deliveries/attempt-queue.ts';
import type { Target } from '../../../src/webhooks/deliveries/lease.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { attempt, subscribe } from '../subscriptions/subscriptions.support.ts';

const EVENT = `insert into events (sub_account_id, id, position, name, data, occurred_at)
  values ($1, $2, nextval('event_positions'), 'task.created', '{}', now())`;

async function eventIn({ database, subAccountId }: TestService): Promise<string> {
  const id = newId(new Date());
  await database.rows(EVENT, [subAccountId, id]);
  return id;
}

async function dueAt({ openView, subAccountId, clock }: TestService, subscriptionId: string) {
  return nextDue(openView(subAccountId, clock()), { subscriptionId } as Target);
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

describe('the next job of a subscription', () => {
  test('is due with the earliest attempt of a stored event', async ({ service }) => {
    const { id: subscription_id } = await subscribe(service);
    await attempt(service, { subscription_id, next_attempt_at: inMinutes(-5) });
    expect(await dueAt(service, subscription_id)).toBeUndefined();
    const [soon, later] = [inMinutes(1), inMinutes(9)];
    for (const next_attempt_at of [later, soon]) {
      await attempt(service, {
        subscription_id,
        event_id: await eventIn(service),
        next_attempt_at,
      });
    }
    expect(await dueAt(service, subscription_id)).toEqual(soon);
  });

  test('waits for the manual attempt of an event whose scheduled one is due', async ({
    service,
  }) => {
    const { id: subscription_id } = await subscribe(service);
    const event_id = await eventIn(service);
    await attempt(service, { subscription_id, event_id, next_attempt_at: inMinutes(-5) });
    expect((await dueAt(service, subscription_id))?.getTime()).toBeLessThan(Date.now());
    const later = inMinutes(5);
    const manual = { trigger: 'manual', next_attempt_at: later };
    await attempt(service, { subscription_id, event_id, ...manual });
    expect(await dueAt(service, subscription_id)).toEqual(later);
  });
});
