import { webhookEventNames } from '#registry/events.ts';
import { SUBSCRIPTION } from '../../support/samples.ts';
import { describe, expect, test } from '../../support/service.ts';
import { audited, fire, lastPosition, PATH, stored, subscribe } from './subscriptions.support.ts';

const FIELDS = [
  'id',
  'url',
  'events',
  'description',
  'status',
  'disabledReason',
  'lastDeliveryAt',
  'lastSuccessAt',
  'consecutiveFailures',
  'createdAt',
  'updatedAt',
];

const REFUSED: readonly (readonly [what: string, body: object, path: string])[] = [
  ['no url', { url: undefined }, '/url'],
  ['an invalid url', { url: 'example' }, '/url'],
  ['a url with another scheme', { url: 'ftp://93.184.215.14/' }, '/url'],
  ['plain http', { url: 'http://93.184.215.14/hook' }, '/url'],
  ['a url of 2,049 characters', { url: `https://93.184.215.14/${'x'.repeat(2_027)}` }, '/url'],
  ['a user name in the url', { url: 'https://a:b@93.184.215.14/' }, '/url'],
  ['no events', { events: undefined }, '/events'],
  ['an empty list of events', { events: [] }, '/events'],
  ['an unknown event', { events: ['contact.created', 'contact.vanished'] }, '/events/1'],
  ['an internal event', { events: ['contact.deleted'] }, '/events/0'],
  ['the test event', { events: ['webhook.test'] }, '/events/0'],
  ['an event in other case', { events: ['Contact.Created'] }, '/events/0'],
  ['all events and a name', { events: ['*', 'task.created'] }, '/events'],
  ['an event twice', { events: ['task.created', 'task.created'] }, '/events'],
  ['501 characters of description', { description: 'x'.repeat(501) }, '/description'],
  ['a status', { status: 'disabled' }, '/status'],
  ['a secret', { secret: 'whsec_mine' }, '/secret'],
];

describe('a new subscription', () => {
  test('is active, without attempts, and returned with its own secret', async ({ service }) => {
    const { secret, ...shown } = await subscribe(service, { description: 'to the ledger' });
    expect(Object.keys(shown)).toEqual(FIELDS);
    expect(shown).toMatchObject({
      ...SUBSCRIPTION,
      description: 'to the ledger',
      status: 'active',
      disabledReason: null,
      lastDeliveryAt: null,
      lastSuccessAt: null,
      consecutiveFailures: 0,
      updatedAt: shown.createdAt,
    });
    expect(secret).toMatch(/^whsec_[\dA-Za-z]{40}$/);
    expect((await subscribe(service)).secret).not.toBe(secret);
  });

  test('fires nothing and is audited once', async ({ service }) => {
    const { id } = await subscribe(service);
    expect(await service.eventNames()).toEqual([]);
    expect(await audited(service, id)).toEqual(['webhooks.create']);
  });

  test('may select every event of the catalog', async ({ service }) => {
    expect((await subscribe(service, { events: webhookEventNames })).events).toEqual(
      webhookEventNames,
    );
  });

  test('may select all events, now or by a change', async ({ service }) => {
    expect((await subscribe(service, { events: ['*'] })).events).toEqual(['*']);
    const { id } = await subscribe(service);
    const changed = await service.call(`PATCH ${PATH}/${id}`, { body: { events: ['*'] } });
    expect(changed.body.data.events).toEqual(['*']);
    const mixed = { events: ['task.created', '*'] };
    const answer = await service.call(`PATCH ${PATH}/${id}`, { body: mixed });
    expect([answer.status, answer.body.error.details.issues[0]]).toEqual([
      400,
      {
        in: 'body',
        path: '/events',
        message:
          'has both "*" (all events) and task.created; send ["*"] alone, or names without it',
      },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('starts after all earlier events, also unpublished ones', async ({ service }) => {
    await fire(service);
    await fire(service);
    const { id } = await subscribe(service);
    const head = await lastPosition(service);
    expect(head).toBeGreaterThan(0);
    expect((await stored(service, id)).position).toBe(head);
    await fire(service);
    const { id: later } = await subscribe(service);
    expect((await stored(service, later)).position).toBe(await lastPosition(service));
    expect((await stored(service, id)).position).toBe(head);
  });

  test('of a sub-account without events starts at position 0', async ({ service }) => {
    expect((await stored(service, (await subscribe(service)).id)).position).toBe(0);
  });

  test.for(REFUSED)('is refused with %s, naming the field', async ([, body, path], { service }) => {
    const answer = await service.call(`POST ${PATH}`, { body: { ...SUBSCRIPTION, ...body } });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    const paths = answer.body.error.details.issues.map((issue: { path: string }) => issue.path);
    expect(paths).toContain(path);
    expect((await service.call(`GET ${PATH}`)).body.meta.total).toBe(0);
  });

  test('accepts the longest url and description', async ({ service }) => {
    const url = `https://93.184.215.14/${'x'.repeat(2_026)}`;
    const shown = await subscribe(service, { url, description: 'x'.repeat(500) });
    expect(shown).toMatchObject({ url, description: 'x'.repeat(500) });
  });

  test('is refused beyond a hundred live ones, at once or one by one', async ({ service }) => {
    const { call } = service;
    const first = await subscribe(service);
    const create = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => call(`POST ${PATH}`, { body: SUBSCRIPTION })),
      );
    // In batches: a request waits five seconds for a connection.
    for (let batch = 0; batch < 9; batch += 1) {
      expect(new Set((await create(10)).map(({ status }) => status))).toEqual(new Set([201]));
    }
    const answers = await create(15);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'too_many_subscriptions' } } },
    });
    await call(`DELETE ${PATH}/${first.id}`);
    await subscribe(service);
    expect((await call(`POST ${PATH}`, { body: SUBSCRIPTION })).status).toBe(400);
    expect((await call(`POST ${PATH}`, { key: 'other', body: SUBSCRIPTION })).status).toBe(201);
  });
});

describe('the list of subscriptions', () => {
  test('is newest first, in pages, with the total number of matches', async ({ service }) => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.unshift((await subscribe(service)).id);
    }
    await service.call(`PATCH ${PATH}/${ids[1]}`, { body: { status: 'disabled' } });
    await service.call(`DELETE ${PATH}/${ids[4]}`);
    const page = async (query: string) => {
      const { data, meta } = (await service.call(`GET ${PATH}?${query}`)).body;
      return { ids: data.map(({ id }: { id: string }) => id), meta };
    };
    const first = await page('limit=3');
    expect(first).toMatchObject({ ids: ids.slice(0, 3), meta: { total: 4, hasMore: true } });
    expect(await page(`limit=3&cursor=${first.meta.cursor}`)).toEqual({
      ids: [ids[3]],
      meta: { total: 4, hasMore: false, cursor: null },
    });
    expect(await page('status=disabled')).toMatchObject({ ids: [ids[1]], meta: { total: 1 } });
    expect(await page('status=active')).toMatchObject({ meta: { total: 3 } });
    expect((await service.call(`GET ${PATH}?status=paused`)).status).toBe(400);
  });

  test('contains no subscriptions of other sub-accounts', async ({ service }) => {
    await subscribe(service, {}, 'other');
    expect((await service.call(`GET ${PATH}`)).body).toEqual({
      data: [],
      meta: { total: 0, hasMore: false, cursor: null },
    });
  });
});

describe('deleting a subscription', () => {
  test('deletes its secrets, is audited, and works once', async ({ service }) => {
    const { call } = service;
    const { id } = await subscribe(service);
    await call(`POST ${PATH}/${id}/regenerate-secret`, { body: { gracePeriodSeconds: 60 } });
    const { status, body } = await call(`DELETE ${PATH}/${id}`);
    expect([status, body]).toEqual([200, { data: { id, deleted: true } }]);
    expect(await stored(service, id)).toMatchObject({
      secret: Buffer.alloc(0),
      previous_secret: null,
      previous_until: null,
      deleted_at: expect.any(Date),
    });
    expect(await service.eventNames()).toEqual([]);
    expect((await audited(service, id)).at(-1)).toBe('webhooks.delete');
    expect((await call(`DELETE ${PATH}/${id}`)).status).toBe(404);
  });

  test('makes every path with its id return 404', async ({ service }) => {
    const { call } = service;
    const { id } = await subscribe(service);
    const { body } = await call(`POST ${PATH}/${id}/test`);
    await call(`DELETE ${PATH}/${id}`);
    for (const line of [
      `GET ${PATH}/${id}`,
      `POST ${PATH}/${id}/regenerate-secret`,
      `POST ${PATH}/${id}/test`,
      `GET ${PATH}/${id}/deliveries`,
      `POST ${PATH}/${id}/deliveries/${body.data.id}/retry`,
    ]) {
      expect([line, (await call(line)).status]).toEqual([line, 404]);
    }
    const patched = await call(`PATCH ${PATH}/${id}`, { body: { status: 'active' } });
    expect(patched.status).toBe(404);
  });
});
