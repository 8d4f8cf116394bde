import { issuesOf } from '#core/schema/check.ts';
import { newId } from '#lib/id.ts';
import { endpoints } from '#registry/endpoints.ts';
import { eventBody } from '../../../src/webhooks/feed/event-body.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { fire, PATH, subscribe } from '../subscriptions/subscriptions.support.ts';

const FEED = '/api/v1/events';
const YEAR_MS = 365 * 24 * 3_600_000;

interface Page {
  readonly data: { id: string; event: string; timestamp: string; data: any }[];
  readonly meta: { hasMore: boolean; cursor: string };
}

async function read({ call }: TestService, query = ''): Promise<Page> {
  const { status, body } = await call(`GET ${FEED}${query}`);
  expect([query, status]).toEqual([query, 200]);
  expect(Object.keys(body.meta)).toEqual(['hasMore', 'cursor']);
  expect(body.meta.cursor).toBeTypeOf('string');
  return body;
}

async function refused({ call }: TestService, query: string, path: string, key = 'full') {
  const { status, body } = await call(`GET ${FEED}?${query}`, { key });
  expect([query, status, body.error?.details?.issues]).toMatchObject([
    query,
    400,
    [{ in: 'query', path }],
  ]);
}

const contactsOf = ({ data }: Page) => data.map((event) => event.data.contactId);
const fireAll = async (service: TestService, count: number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await fire(service));
  }
  return ids;
};

/** Event data of 1 MB. */
const LARGE = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  values ($1, $2, 'form.submitted', null, json_build_object('text', repeat('x', 1000000)), now())`;

describe('the feed of events', () => {
  test('of a sub-account without events is empty, caught up, and has a cursor', async ({
    service,
  }) => {
    const page = await read(service);
    expect(page).toMatchObject({ data: [], meta: { hasMore: false } });
    const id = await fire(service);
    expect(contactsOf(await read(service, `?after=${page.meta.cursor}`))).toEqual([id]);
  });

  test('starts with the oldest, and includes events that were not published yet', async ({
    service,
  }) => {
    const ids = await fireAll(service, 3);
    const page = await read(service);
    expect(contactsOf(page)).toEqual(ids);
    expect(page.meta.hasMore).toBe(false);
    expect(await read(service, '?start=oldest')).toMatchObject({ data: page.data });
    const outbox = await service.database.rows('select from outbox where sub_account_id = $1', [
      service.subAccountId,
    ]);
    expect(outbox).toEqual([]);
  });

  test('returns each event once and in order, in pages of any size', async ({ service }) => {
    const ids = await fireAll(service, 7);
    for (const [limit, pages] of [
      [1, 7],
      [3, 3],
      [7, 1],
      [100, 1],
    ] as const) {
      const seen: string[] = [];
      let after = '';
      let count = 0;
      for (let hasMore = true; hasMore; count += 1) {
        const page = await read(service, `?limit=${limit}${after}`);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        seen.push(...contactsOf(page));
        after = `&after=${page.meta.cursor}`;
        ({ hasMore } = page.meta);
      }
      expect([seen, count]).toEqual([ids, pages]);
    }
  });

  test('has 50 events on a page by default, and reports that more follow', async ({ service }) => {
    await Promise.all(Array.from({ length: 51 }, () => fire(service)));
    const { data, meta } = await read(service);
    expect([data.length, meta.hasMore]).toEqual([50, true]);
  });

  test('has fewer events on a page if they are large, and leaves none out', async ({ service }) => {
    const { database, subAccountId } = service;
    const ids = Array.from({ length: 12 }, () => newId(new Date()));
    for (const id of ids) {
      await database.rows(LARGE, [subAccountId, id]);
    }
    const first = await read(service, '?limit=100');
    expect([first.data.length, first.meta.hasMore]).toEqual([8, true]);
    const second = await read(service, `?limit=100&after=${first.meta.cursor}`);
    expect(second.meta.hasMore).toBe(false);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
  });

  test('returns the same cursor when caught up, however often it is called', async ({
    service,
  }) => {
    const [id] = await fireAll(service, 1);
    let { meta } = await read(service);
    for (let n = 0; n < 3; n += 1) {
      const page = await read(service, `?after=${meta.cursor}`);
      expect(page).toMatchObject({ data: [], meta: { hasMore: false } });
      ({ meta } = page);
    }
    const next = await fire(service);
    expect(contactsOf(await read(service, `?after=${meta.cursor}`))).toEqual([next]);
    expect(contactsOf(await read(service))).toEqual([id, next]);
  });

  test('returns only later events when started at the latest', async ({ service }) => {
    await fireAll(service, 2);
    const page = await read(service, '?start=latest');
    expect(page).toMatchObject({ data: [], meta: { hasMore: false } });
    const id = await fire(service);
    expect(contactsOf(await read(service, `?after=${page.meta.cursor}`))).toEqual([id]);
  });

  test('has the same bytes as the delivery of an event', async ({ service }) => {
    const body = { firstName: 'Zoë "Z"', lastName: 'Ünal', tags: ['vip'] };
    const { id: contactId } = (await service.call('POST /api/v1/contacts', { body })).body.data;
    const response = await fetch(`${service.url}${FEED}`, {
      headers: { authorization: `Bearer ${service.keys.full}` },
    });
    const text = await response.text();
    const [{ data, ...row }] = JSON.parse(text).data;
    const [event] = await service.database.rows<any>(
      `select e.id, e.name, e.occurred_at as "occurredAt", e.contact_id as "contactId",
         e.data::text, s.id as "subAccountId", s.location_id as "locationId"
       from events e join sub_accounts s on s.id = e.sub_account_id
       where e.sub_account_id = $1`,
      [service.subAccountId],
    );
    expect(row).toEqual({
      id: event.id,
      event: 'contact.created',
      timestamp: event.occurredAt.toISOString(),
    });
    expect(Object.keys(data).slice(0, 3)).toEqual(['subAccountId', 'locationId', 'contactId']);
    expect(data).toMatchObject({
      subAccountId: service.subAccountId,
      locationId: event.locationId,
      contactId,
      firstName: body.firstName,
      tags: ['vip'],
    });
    const delivered = eventBody(event, event);
    const bytes = delivered.slice(delivered.indexOf('"event"'), -1);
    expect(text).toContain(bytes);
    const declared = endpoints.find(({ id }) => id === 'events.list')?.data;
    expect(issuesOf(declared!, JSON.parse(text).data)).toEqual([]);
  });

  test('leaves out contactId for an event without a contact', async ({ service }) => {
    await service.database.rows(
      `insert into outbox (sub_account_id, id, name, data, occurred_at)
       values ($1, gen_random_uuid(), 'invoice.paid', '{"amount":1.50}', now())`,
      [service.subAccountId],
    );
    const [event] = (await read(service)).data;
    expect(Object.keys(event?.data)).toEqual(['subAccountId', 'locationId', 'amount']);
  });

  test('contains no events of other sub-accounts, and no test events', async ({ service }) => {
    await fire(service, 'other');
    const { id } = await subscribe(service);
    await service.call(`POST ${PATH}/${id}/test`);
    expect((await read(service)).data).toEqual([]);
  });

  test('wakes the subscriptions that select a published event', async ({ service }) => {
    const { id } = await subscribe(service);
    await fire(service);
    await read(service);
    const jobs = await service.database.rows('select from graphile_worker.jobs where key = $1', [
      `webhooks/deliver:${id}`,
    ]);
    expect(jobs).toHaveLength(1);
  });
});

describe('a cursor of the feed', () => {
  test('is valid after a year', async ({ service }) => {
    const [, second] = await fireAll(service, 2);
    const { meta } = await read(service, '?limit=1');
    service.clock.advance(YEAR_MS);
    expect(contactsOf(await read(service, `?after=${meta.cursor}`))).toEqual([second]);
    service.clock.advance(-YEAR_MS);
  });

  test('is valid for any page size and start', async ({ service }) => {
    const ids = await fireAll(service, 3);
    const { meta } = await read(service, '?limit=1&start=oldest');
    const page = await read(service, `?limit=2&after=${meta.cursor}`);
    expect(contactsOf(page)).toEqual(ids.slice(1));
  });

  test('is refused if it is altered, foreign, or from a list', async ({ service }) => {
    await fire(service);
    const { cursor } = (await read(service)).meta;
    for (const altered of [`${cursor}A`, cursor.slice(1), cursor.slice(0, -2), 'x', 'null', '0']) {
      await refused(service, `after=${altered}`, '/after');
    }
    await refused(service, `after=${cursor}`, '/after', 'other');
    await fire(service);
    const list = await service.call('GET /api/v1/contacts?limit=1');
    await refused(service, `after=${list.body.meta.cursor}`, '/after');
    const misused = await service.call(`GET /api/v1/contacts?cursor=${cursor}`);
    expect(misused.body.error.details.issues).toMatchObject([{ in: 'query', path: '/cursor' }]);
  });

  test('is only accepted as after, and not together with start', async ({ service }) => {
    const { cursor } = (await read(service)).meta;
    await refused(service, `after=${cursor}&start=latest`, '/start');
    await refused(service, `after=${cursor}&start=oldest`, '/start');
    await refused(service, `cursor=${cursor}`, '/cursor');
    await refused(service, 'start=newest', '/start');
    await refused(service, 'limit=101', '/limit');
  });
});

test('the feed requires the scope webhooks:manage', async ({ service }) => {
  const { status, body } = await service.call(`GET ${FEED}`, { key: 'reader' });
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
});
