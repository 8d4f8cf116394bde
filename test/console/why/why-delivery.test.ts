import { SUBSCRIPTION } from '../../support/samples.ts';
import { apply } from '../../support/manifest.ts';
import { contactIn } from '../../workflows/workflows.support.ts';
import { describe, expect, test } from '../../support/service.ts';
import { rulesOf, why } from './why.support.ts';

describe('a delivery', () => {
  test('that was not made names why: not selected, older than the subscription, disabled, waiting', async ({
    service,
  }) => {
    const { call, database, subAccountId } = service;
    const subscribe = async (events: readonly string[]) =>
      (await call('POST /api/v1/webhooks', { body: { ...SUBSCRIPTION, events } })).body.data.id;
    await contactIn(service, subAccountId);
    const [early] = await database.rows<{ id: string }>(
      'select id from outbox where sub_account_id = $1',
      [subAccountId],
    );
    service.clock.advance(1000);
    const subscriptionId = await subscribe(['contact.created']);
    const other = await subscribe(['task.created']);
    const ask = async (eventId: string, webhook = subscriptionId) =>
      rulesOf(await why(service, { kind: 'delivery', eventId, subscriptionId: webhook }));
    expect(await ask(early?.id ?? '')).toEqual(['before_subscription']);
    expect(await ask(early?.id ?? '', other)).toEqual(['not_selected']);
    await database.rows('delete from outbox where sub_account_id = $1', [subAccountId]);
    service.clock.advance(1000);
    await contactIn(service, subAccountId);
    const [late] = await database.rows<{ id: string }>(
      'select id from outbox where sub_account_id = $1',
      [subAccountId],
    );
    expect(await ask(late?.id ?? '')).toEqual(['waiting']);
    await database.rows(`update holding set held_since = now(), reason = 'restored'`);
    expect(await ask(late?.id ?? '')).toEqual(['workers_paused', 'waiting']);
    await database.rows('update holding set held_since = null, reason = null');
    await call(`PATCH /api/v1/webhooks/${subscriptionId}`, { body: { status: 'disabled' } });
    expect(await ask(late?.id ?? '')).toEqual(['disabled']);
  });

  test('that waits for the breaker says that Frontdesk pauses, not that the receiver asked for it', async ({
    service,
  }) => {
    const { call, database, subAccountId } = service;
    const subscriptionId = (await call('POST /api/v1/webhooks', { body: SUBSCRIPTION })).body.data
      .id;
    await contactIn(service, subAccountId);
    const [event] = await database.rows<{ id: string }>(
      'select id from outbox where sub_account_id = $1',
      [subAccountId],
    );
    await database.rows(
      `update webhook_subscriptions set consecutive_failures = 146, failing_since = now(),
         paused_until = now() + interval '1 h' where id = $1`,
      [subscriptionId],
    );
    const question = { kind: 'delivery', eventId: event?.id ?? '', subscriptionId } as const;
    const { reasons } = await why(service, question);
    expect(reasons).toMatchObject([
      { rule: 'paused', sentence: expect.stringContaining('The last 146 attempts failed') },
    ]);
    expect(JSON.stringify(reasons)).not.toContain('asked for a pause');
  });

  test('that failed names the status of the receiver, the start of its response and the time of the attempt', async ({
    service,
  }) => {
    const { call, database } = service;
    const id = (await call('POST /api/v1/webhooks', { body: SUBSCRIPTION })).body.data.id;
    const delivery = (await call(`POST /api/v1/webhooks/${id}/test`)).body.data.id;
    await database.rows(
      `update webhook_deliveries set status = 'failed', response_status = 503,
         response_body = $2, sent = $3 where id = $1`,
      [delivery, 'upstream\n database unavailable', { at: Date.UTC(2026, 10, 23, 15, 45, 50) }],
    );
    const { reasons } = await why(service, { kind: 'delivery', id: delivery });
    expect(reasons).toMatchObject([
      {
        rule: 'http_status',
        sentence: expect.stringContaining(
          'begins: “upstream database unavailable”. Fix the receiver',
        ),
        at: '2026-11-23T15:45:50.000Z',
      },
      { rule: 'no_retry', sentence: expect.stringContaining('does not try again by itself') },
    ]);
    await database.rows(
      `insert into webhook_deliveries
         (sub_account_id, id, subscription_id, event_id, event, trigger, attempt, status, next_attempt_at, created_at)
       select sub_account_id, gen_random_uuid(), subscription_id, event_id, event, trigger, 2, 'pending',
         now() + interval '1 h', created_at + interval '1 s'
       from webhook_deliveries where id = $1`,
      [delivery],
    );
    const [{ eventId }] = (await database.rows(
      'select event_id as "eventId" from webhook_deliveries where id = $1',
      [delivery],
    )) as [{ eventId: string }];
    const event = await why(service, { kind: 'delivery', eventId, subscriptionId: id });
    expect(rulesOf(event)).toEqual(['waiting', 'http_status']);
    expect(event.reasons[1].sentence).toContain(
      'answered attempt 1 with status 503; only 2xx counts.',
    );
    const both = async () =>
      Promise.all(
        [{ id: delivery }, { eventId, subscriptionId: id }].map(async (asked) =>
          rulesOf(await why(service, { kind: 'delivery', ...asked })),
        ),
      );
    expect(await both()).toEqual([
      ['http_status', 'waiting'],
      ['waiting', 'http_status'],
    ]);
    await database.rows(
      `update webhook_subscriptions set consecutive_failures = 9, failing_since = now(),
         paused_until = now() + interval '1 h'
       where id = $1`,
      [id],
    );
    expect(await both()).toEqual([
      ['http_status', 'paused'],
      ['paused', 'http_status'],
    ]);
  });

  test('that was not made since its subscription was disabled or deleted says so, and not that the receiver is down', async ({
    service,
  }) => {
    const { call, database } = service;
    const id = (await call('POST /api/v1/webhooks', { body: SUBSCRIPTION })).body.data.id;
    const delivery = (await call(`POST /api/v1/webhooks/${id}/test`)).body.data.id;
    const setTrigger = `update webhook_deliveries set trigger = 'scheduled', status = 'pending',
      next_attempt_at = now() + interval '1 h' where id = $1`;
    await database.rows(setTrigger, [delivery]);
    await call(`PATCH /api/v1/webhooks/${id}`, { body: { status: 'disabled' } });
    const reasons = async () => (await why(service, { kind: 'delivery', id: delivery })).reasons;
    expect(await reasons()).toMatchObject([
      {
        rule: 'disabled',
        sentence: 'Attempt 1 was not sent: the subscription was disabled.',
        record: { type: 'delivery', id: delivery },
      },
      { rule: 'disabled', record: { type: 'webhook', id } },
    ]);
    await database.rows(setTrigger, [delivery]);
    await call(`DELETE /api/v1/webhooks/${id}`);
    expect(await reasons()).toEqual([
      {
        rule: 'deleted',
        sentence: 'Attempt 1 was not sent: the subscription was deleted.',
        record: { type: 'webhook', id },
        at: expect.any(String),
      },
    ]);
    // One of many, which a job is about to fail.
    await database.rows(setTrigger, [delivery]);
    expect((await reasons()).map((one: { rule: string }) => one.rule)).toEqual(['deleted']);
  });

  test('names times in the zone of the sub-account, and a later attempt that succeeded', async ({
    service,
  }) => {
    const { call, database } = service;
    await apply(service, { subAccount: { timezone: 'Asia/Tokyo' } });
    const id = (await call('POST /api/v1/webhooks', { body: SUBSCRIPTION })).body.data.id;
    const delivery = (await call(`POST /api/v1/webhooks/${id}/test`)).body.data.id;
    await database.rows(
      `update webhook_deliveries set next_attempt_at = '2030-01-02T20:30:00Z' where id = $1`,
      [delivery],
    );
    const ask = async () => (await why(service, { kind: 'delivery', id: delivery })).reasons;
    expect((await ask())[0].sentence).toBe('Attempt 1 is made at Thu, 3 Jan 2030, 05:30 GMT+9.');
    await database.rows(
      `update webhook_deliveries set status = 'failed', response_status = 503 where id = $1`,
      [delivery],
    );
    await database.rows(
      `insert into webhook_deliveries
         (sub_account_id, id, subscription_id, event_id, event, trigger, attempt, status, response_status, created_at)
       select sub_account_id, 'ffffffff-ffff-4fff-bfff-ffffffffffff', subscription_id, event_id, event,
         trigger, 2, 'succeeded', 204, created_at + interval '1 s'
       from webhook_deliveries where id = $1`,
      [delivery],
    );
    expect((await ask()).map(({ sentence }: { sentence: string }) => sentence)).toEqual([
      'The receiver answered attempt 1 with status 503; only 2xx counts.',
      'Attempt 2 succeeded: the receiver returned 204.',
    ]);
  });
});
