import { newId } from '#lib/id.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { attempt, PATH, subscribe } from '../subscriptions/subscriptions.support.ts';

describe('the log of a subscription', () => {
  const ask = async (service: TestService, id: string, query = '') =>
    (await service.call(`GET ${PATH}/${id}/deliveries${query}`)).body;
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

  test('has all fields of an attempt', async ({ service }) => {
    const { id } = await subscribe(service);
    const createdAt = new Date();
    const made = {
      response_status: 503,
      response_body: 'busy "ü" \n',
      duration_ms: 41,
      error: 'the receiver returned 503',
    };
    const one = await attempt(service, {
      subscription_id: id,
      status: 'failed',
      attempt: 3,
      created_at: createdAt,
      ...made,
    });
    const { data } = await ask(service, id);
    expect(data).toEqual([
      {
        id: one,
        eventId: expect.any(String),
        event: 'contact.created',
        attempt: 3,
        trigger: 'scheduled',
        status: 'failed',
        responseStatus: 503,
        responseBody: made.response_body,
        durationMs: 41,
        error: made.error,
        createdAt: createdAt.toISOString(),
        sentAt: null,
        nextAttemptAt: null,
      },
    ]);
  });

  test('is newest first, in pages without a total', async ({ service }) => {
    const { id } = await subscribe(service);
    const now = new Date();
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      ids.unshift(await attempt(service, { subscription_id: id, id: newId(now) }));
    }
    await attempt(service, { subscription_id: (await subscribe(service)).id });
    const first = await ask(service, id, '?limit=3');
    expect(Object.keys(first.meta)).toEqual(['hasMore', 'cursor']);
    const second = await ask(service, id, `?limit=3&cursor=${first.meta.cursor}`);
    const third = await ask(service, id, `?limit=3&cursor=${second.meta.cursor}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
    expect(third.meta).toEqual({ hasMore: false, cursor: null });
    const foreign = await service.call(
      `GET ${PATH}/${id}/deliveries?status=failed&cursor=${first.meta.cursor}`,
    );
    expect(foreign.status).toBe(400);
  });

  test('is filtered by status, event and event id', async ({ service }) => {
    const { id } = await subscribe(service);
    const event_id = crypto.randomUUID();
    const a = await attempt(service, { subscription_id: id, status: 'failed', event_id });
    const b = await attempt(service, { subscription_id: id, event: 'task.created', event_id });
    const c = (await service.call(`POST ${PATH}/${id}/test`)).body.data.id;
    const found = async (query: string) => new Set(idsOf(await ask(service, id, query)));
    expect(await found('')).toEqual(new Set([a, b, c]));
    expect(await found('?status=failed')).toEqual(new Set([a]));
    expect(await found('?status=pending')).toEqual(new Set([b, c]));
    expect(await found('?event=task.created')).toEqual(new Set([b]));
    expect(await found('?event=webhook.test')).toEqual(new Set([c]));
    expect(await found(`?eventId=${event_id.toUpperCase()}`)).toEqual(new Set([a, b]));
    expect(await found(`?eventId=${event_id}&status=failed`)).toEqual(new Set([a]));
    expect(await found(`?eventId=${crypto.randomUUID()}`)).toEqual(new Set());
    for (const query of ['?status=open', '?event=task.cancelled', '?eventId=1']) {
      expect((await service.call(`GET ${PATH}/${id}/deliveries${query}`)).status).toBe(400);
    }
  });

  test('has cursors that are valid for one subscription only', async ({ service }) => {
    const [one, other] = [await subscribe(service), await subscribe(service)];
    for (const { id } of [one, other, one, other]) {
      await attempt(service, { subscription_id: id });
    }
    const { meta } = await ask(service, one.id, '?limit=1');
    const line = `GET ${PATH}/${other.id}/deliveries?limit=1&cursor=${meta.cursor}`;
    expect((await service.call(line)).status).toBe(400);
  });
});
