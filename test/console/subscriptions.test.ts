import { subscribe } from '../webhooks/subscriptions/subscriptions.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const PATH = '/console/api/v1/webhooks';

/** Writes what 142 failures in a row leave behind. */
const fail = ({ database, subAccountId }: TestService, id: string) =>
  database.rows(
    `update webhook_subscriptions set consecutive_failures = 142,
       failing_since = '2026-01-01T09:00:00Z', paused_until = now() + interval '1 hour'
     where sub_account_id = $1 and id = $2`,
    [subAccountId, id],
  );

describe('a subscription in the console', () => {
  test('shows that its receiver fails, and how much waits', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const { id } = await subscribe(service);
    const healthy = await call(`GET ${PATH}`);
    expect(healthy.body.data[0]).toMatchObject({
      id,
      failingSince: null,
      isThrottled: false,
      pausedUntil: null,
      waiting: 0,
      previousSecretUntil: null,
    });
    await service.call(`POST /api/v1/webhooks/${id}/test`);
    await fail(service, id);
    const failing = await call(`GET ${PATH}`);
    expect(failing.body.data[0]).toMatchObject({
      consecutiveFailures: 142,
      failingSince: '2026-01-01T09:00:00.000Z',
      isThrottled: true,
      pausedUntil: expect.any(String),
      waiting: 1,
    });
    expect(failing.body.meta.total).toBe(1);
  });

  test('shows until when its former secret is valid, and ends that', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const { id } = await subscribe(service);
    await call(`POST ${PATH}/${id}/regenerate-secret`, { body: { gracePeriodSeconds: 3_600 } });
    const during = await call(`GET ${PATH}`);
    expect(during.body.data[0].previousSecretUntil).toEqual(expect.any(String));
    const ended = await call(`DELETE ${PATH}/${id}/previous-secret`);
    expect([ended.status, ended.body.data]).toEqual([200, { id }]);
    expect((await call(`GET ${PATH}`)).body.data[0].previousSecretUntil).toBeNull();
    const [row] = await service.database.rows(
      'select previous_secret from webhook_subscriptions where id = $1',
      [id],
    );
    expect(row).toEqual({ previous_secret: null });
    expect((await call(`DELETE ${PATH}/${id}/previous-secret`)).status).toBe(200);
    const unknown = await call(`DELETE ${PATH}/${crypto.randomUUID()}/previous-secret`);
    expect(unknown.status).toBe(404);
  });
});
