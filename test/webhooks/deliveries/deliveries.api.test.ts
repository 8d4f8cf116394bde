import { describe, expect, test, type TestService } from '../../support/service.ts';
import { AGENCY } from '#lib/id.ts';
import {
  attempt,
  audited,
  deliveryRow,
  jobsOf,
  PATH,
  stored,
  subscribe,
} from '../subscriptions/subscriptions.support.ts';

const FIELDS = [
  'id',
  'eventId',
  'event',
  'attempt',
  'trigger',
  'status',
  'responseStatus',
  'responseBody',
  'durationMs',
  'error',
  'createdAt',
  'sentAt',
  'nextAttemptAt',
];

/** A published event, as the log refers to it. */
async function published({ database, subAccountId }: TestService): Promise<string> {
  const id = crypto.randomUUID();
  await database.rows(
    `insert into events (sub_account_id, id, position, name, data, occurred_at)
     values ($1, $2, nextval('event_positions'), 'contact.created', '{}', now())`,
    [subAccountId, id],
  );
  return id;
}

describe('a test delivery', () => {
  test('is a pending attempt, due now, and the feed does not contain its event', async ({
    service,
  }) => {
    const { id } = await subscribe(service);
    const { status, body } = await service.call(`POST ${PATH}/${id}/test`);
    expect([status, Object.keys(body.data)]).toEqual([200, FIELDS]);
    expect(body.data).toMatchObject({
      event: 'webhook.test',
      attempt: 1,
      trigger: 'manual',
      status: 'pending',
      responseStatus: null,
      responseBody: null,
      durationMs: null,
      error: null,
      sentAt: null,
      nextAttemptAt: body.data.createdAt,
    });
    const [event] = await service.database.rows<any>(
      'select *, data::text as data from events where id = $1',
      [body.data.eventId],
    );
    expect(event).toMatchObject({
      sub_account_id: service.subAccountId,
      name: 'webhook.test',
      position: null,
      contact_id: null,
      data: '{}',
    });
    expect(await jobsOf(service, id)).toHaveLength(1);
    expect(await service.eventNames()).toEqual(['webhook.test']);
    expect((await audited(service, id)).at(-1)).toBe('webhooks.test');
    expect((await service.call('GET /api/v1/events')).body.data).toEqual([]);
  });

  test('goes to a disabled subscription, too, and leaves it disabled', async ({ service }) => {
    const { id } = await subscribe(service);
    await service.call(`PATCH ${PATH}/${id}`, { body: { status: 'disabled' } });
    expect((await service.call(`POST ${PATH}/${id}/test`)).status).toBe(200);
    expect((await stored(service, id)).status).toBe('disabled');
    expect(await jobsOf(service, id)).toHaveLength(1);
  });
});

describe('retrying a delivery', () => {
  test('queues a further attempt of the same event, due now', async ({ service }) => {
    const { id } = await subscribe(service);
    const eventId = await published(service);
    const common = { subscription_id: id, event_id: eventId };
    const failed = await attempt(service, { ...common, status: 'failed', error: 'no answer' });
    await attempt(service, { ...common, attempt: 7, status: 'failed' });
    await attempt(service, { subscription_id: id, attempt: 40, status: 'failed' });
    const other = await subscribe(service);
    await attempt(service, { ...common, subscription_id: other.id, attempt: 9, status: 'failed' });
    await service.database.rows(
      'update webhook_subscriptions set paused_until = now() where id = $1',
      [id],
    );
    const { status, body } = await service.call(`POST ${PATH}/${id}/deliveries/${failed}/retry`);
    expect([status, Object.keys(body.data)]).toEqual([200, FIELDS]);
    expect(body.data).toMatchObject({
      eventId,
      event: 'contact.created',
      attempt: 8,
      trigger: 'manual',
      status: 'pending',
      nextAttemptAt: body.data.createdAt,
    });
    expect(body.data.id).not.toBe(failed);
    expect((await deliveryRow(service, failed)).error).toBe('no answer');
    expect((await stored(service, id)).paused_until).toBeNull();
    expect(await jobsOf(service, id)).toHaveLength(1);
    expect(await audited(service, failed)).toEqual(['webhooks.retry']);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('counts attempts correctly for five concurrent requests', async ({ service }) => {
    const { id } = await subscribe(service);
    const one = await attempt(service, {
      subscription_id: id,
      event_id: await published(service),
      status: 'succeeded',
    });
    const line = `POST ${PATH}/${id}/deliveries/${one}/retry`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.call(line)));
    const attempts = answers.map(({ body }) => body.data.attempt as number);
    expect(attempts.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
    expect(await jobsOf(service, id)).toHaveLength(1);
  });

  test('works while the subscription is disabled', async ({ service }) => {
    const { id } = await subscribe(service);
    const one = (await service.call(`POST ${PATH}/${id}/test`)).body.data.id;
    await service.call(`PATCH ${PATH}/${id}`, { body: { status: 'disabled' } });
    const { status, body } = await service.call(`POST ${PATH}/${id}/deliveries/${one}/retry`);
    expect([status, body.data.attempt]).toEqual([200, 2]);
    expect((await stored(service, id)).status).toBe('disabled');
  });

  test('is refused if the event was deleted', async ({ service }) => {
    const { id } = await subscribe(service);
    const one = await attempt(service, { subscription_id: id, status: 'failed' });
    const { status, body } = await service.call(`POST ${PATH}/${id}/deliveries/${one}/retry`);
    expect([status, body.error.details]).toEqual([
      400,
      { issues: [expect.objectContaining({ path: '' })], reason: 'event_gone' },
    ]);
  });

  test('returns 404 for an unknown or foreign delivery, and for one of another subscription', async ({
    service,
  }) => {
    const { id } = await subscribe(service);
    const other = await subscribe(service);
    const strange = await subscribe(service, {}, 'other');
    const { body } = await service.call(`POST ${PATH}/${strange.id}/test`, { key: 'other' });
    const sibling = (await service.call(`POST ${PATH}/${other.id}/test`)).body.data.id;
    for (const delivery of [crypto.randomUUID(), body.data.id, sibling, AGENCY, 'malformed']) {
      for (const raw of [undefined, 'not json']) {
        const line = `POST ${PATH}/${id}/deliveries/${delivery}/retry`;
        const answer = await service.call(line, raw === undefined ? {} : { raw });
        expect([delivery, answer.status]).toEqual([delivery, 404]);
      }
    }
    expect(await jobsOf(service, id)).toEqual([]);
  });
});
