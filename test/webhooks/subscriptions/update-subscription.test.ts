import type { JobContext } from '#core/job.ts';
import { handleCloseDeliveries } from '../../../src/webhooks/subscriptions/close-deliveries.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import {
  attempt,
  audited,
  deliveryRow,
  fire,
  lastPosition,
  PATH,
  stored,
  subscribe,
} from './subscriptions.support.ts';

describe('changing a subscription', () => {
  test('changes only the given fields', async ({ service }) => {
    const { secret: _, ...before } = await subscribe(service, { description: 'old' });
    service.clock.advance(1_000);
    const change = { url: 'https://93.184.215.15/', events: ['task.created', 'invoice.paid'] };
    const { status, body } = await service.call(`PATCH ${PATH}/${before.id}`, { body: change });
    expect([status, body.data]).toEqual([
      200,
      { ...before, ...change, updatedAt: expect.any(String) },
    ]);
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await service.call(`GET ${PATH}/${before.id}`)).body.data).toEqual(body.data);
    expect(await audited(service, before.id)).toEqual(['webhooks.create', 'webhooks.update']);
    expect(await service.eventNames()).toEqual([]);
  });

  test('clears the description with null', async ({ service }) => {
    const { id } = await subscribe(service, { description: 'old' });
    const { body } = await service.call(`PATCH ${PATH}/${id}`, { body: { description: null } });
    expect(body.data.description).toBeNull();
  });

  test('to the same values writes and audits nothing', async ({ service }) => {
    const { secret: _, ...before } = await subscribe(service, { description: 'same' });
    const { id, url, events, description, status } = before;
    service.clock.advance(1_000);
    for (const body of [{}, { url, events, description, status }]) {
      const answer = await service.call(`PATCH ${PATH}/${id}`, { body });
      expect([answer.status, answer.body.data]).toEqual([200, before]);
    }
    expect(await audited(service, id)).toEqual(['webhooks.create']);
  });

  test.for([
    ['a private address', { url: 'https://10.0.0.1/' }, '/url'],
    ['plain http', { url: 'http://93.184.215.14/' }, '/url'],
    ['an unknown event', { events: ['task.cancelled'] }, '/events/0'],
    ['no event', { events: [] }, '/events'],
    ['another status', { status: 'paused' }, '/status'],
    ['a reason', { disabledReason: 'why not' }, '/disabledReason'],
  ] as const)('to %s is refused and changes nothing', async ([, body, path], { service }) => {
    const { secret: _, ...before } = await subscribe(service);
    const { id } = before;
    const answer = await service.call(`PATCH ${PATH}/${id}`, {
      body: { ...body, description: 'x' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.issues).toMatchObject([{ in: 'body', path }]);
    expect((await service.call(`GET ${PATH}/${id}`)).body.data).toEqual(before);
  });

  test('returns 404 for an unknown or foreign subscription before its url is checked', async ({
    service,
  }) => {
    const { id } = await subscribe(service, {}, 'other');
    for (const one of [id, crypto.randomUUID()]) {
      const body = { url: 'https://127.0.0.1/' };
      expect((await service.call(`PATCH ${PATH}/${one}`, { body })).status).toBe(404);
    }
  });
});

describe('disabling a subscription', () => {
  test('has a reason, and fails scheduled attempts, not manual ones', async ({ service }) => {
    const { id, url } = await subscribe(service);
    const other = await subscribe(service);
    const scheduled = await attempt(service, { subscription_id: id });
    const foreign = await attempt(service, { subscription_id: other.id });
    const done = await attempt(service, { subscription_id: id, status: 'succeeded' });
    const manual = (await service.call(`POST ${PATH}/${id}/test`)).body.data.id;
    const change = { status: 'disabled', url: `${url}/more` };
    const { body } = await service.call(`PATCH ${PATH}/${id}`, { body: change });
    expect(body.data).toMatchObject({ ...change, disabledReason: 'disabled by request' });
    expect(await deliveryRow(service, scheduled)).toMatchObject({
      status: 'failed',
      error: 'the subscription was disabled',
      next_attempt_at: null,
    });
    for (const [row, status] of [
      [foreign, 'pending'],
      [manual, 'pending'],
      [done, 'succeeded'],
    ] as const) {
      expect((await deliveryRow(service, row)).status).toBe(status);
    }
    expect((await audited(service, id)).slice(-1)).toEqual(['webhooks.update']);
  });

  test('again changes nothing, the reason included', async ({ service }) => {
    const { id } = await subscribe(service);
    const { database } = service;
    await database.rows(
      `update webhook_subscriptions set status = 'disabled', disabled_reason = 'gone' where id = $1`,
      [id],
    );
    const { body } = await service.call(`PATCH ${PATH}/${id}`, { body: { status: 'disabled' } });
    expect(body.data).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expect(await audited(service, id)).toEqual(['webhooks.create']);
  });

  test('by deleting it fails all pending attempts', async ({ service }) => {
    const { id } = await subscribe(service);
    const scheduled = await attempt(service, { subscription_id: id });
    const manual = (await service.call(`POST ${PATH}/${id}/test`)).body.data.id;
    await service.call(`DELETE ${PATH}/${id}`);
    for (const row of [scheduled, manual]) {
      expect(await deliveryRow(service, row)).toMatchObject({
        status: 'failed',
        error: 'the subscription was deleted',
        next_attempt_at: null,
      });
    }
    expect(await closingJobs(service, id)).toEqual([]);
  });

  test('by deleting it fails a thousand attempts at once, and the others in a job', async ({
    service,
  }) => {
    const { subAccountId, transact, actor, database } = service;
    const [one, other] = [await subscribe(service), await subscribe(service)];
    await database.rows(MANY_PENDING, [subAccountId, one.id, 2_500]);
    await database.rows(MANY_PENDING, [subAccountId, other.id, 10]);
    await service.call(`DELETE ${PATH}/${one.id}`);
    expect(await pending(service, one.id)).toBe(1_500);
    expect(await closingJobs(service, one.id)).toHaveLength(1);
    let changes = 0;
    const counted: typeof transact = (...change) => {
      changes += 1;
      return transact(...change);
    };
    const { signal } = new AbortController();
    const context = { transact: counted, actor, signal } as unknown as JobContext;
    for (const { id } of [one, other]) {
      await handleCloseDeliveries.handle({ subAccountId, subscriptionId: id }, context);
    }
    expect([await pending(service, one.id), await pending(service, other.id)]).toEqual([0, 10]);
    // Two batches, and one for the subscription that is not deleted.
    expect(changes).toBe(3);
  });
});

const MANY_PENDING = `insert into webhook_deliveries
    (sub_account_id, subscription_id, id, event_id, event, attempt, trigger, status, created_at,
    next_attempt_at)
  select $1, $2, gen_random_uuid(), gen_random_uuid(), 'contact.created', 1, 'scheduled', 'pending',
    now(), now() from generate_series(1, $3::int)`;

async function pending({ database }: TestService, id: string): Promise<number> {
  const rows = await database.rows(
    `select from webhook_deliveries where subscription_id = $1 and status = 'pending'`,
    [id],
  );
  return rows.length;
}

const closingJobs = ({ database }: TestService, id: string) =>
  database.rows<object>('select key from graphile_worker.jobs where key = $1', [
    `webhooks/close-deliveries:${id}`,
  ]);

describe('activating a subscription', () => {
  test('resets its failures and starts after the events of the time in between', async ({
    service,
  }) => {
    const { id } = await subscribe(service);
    const { database, call } = service;
    await database.rows(
      `update webhook_subscriptions set status = 'disabled', disabled_reason = 'gone',
         consecutive_failures = 7, failing_since = now(), paused_until = now() where id = $1`,
      [id],
    );
    await fire(service);
    await fire(service);
    const { body } = await call(`PATCH ${PATH}/${id}`, { body: { status: 'active' } });
    expect(body.data).toMatchObject({
      status: 'active',
      disabledReason: null,
      consecutiveFailures: 0,
    });
    const head = await lastPosition(service);
    expect(head).toBeGreaterThan(0);
    expect(await stored(service, id)).toMatchObject({
      position: head,
      failing_since: null,
      paused_until: null,
    });
    expect((await audited(service, id)).at(-1)).toBe('webhooks.update');
  });

  test('an active one skips no events', async ({ service }) => {
    const { id } = await subscribe(service);
    await fire(service);
    const body = { status: 'active', description: 'still here' };
    expect((await service.call(`PATCH ${PATH}/${id}`, { body })).status).toBe(200);
    expect((await stored(service, id)).position).toBe(0);
  });
});
