import * as fc from 'fast-check';
import { newId } from '#lib/id.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { openServer } from '../../support/server.ts';

const LIST = 'GET /api/v1/contacts';

/** Contacts that were all created at the same moment, in one statement. */
async function seed({ database, subAccountId }: TestService, count: number): Promise<string[]> {
  const at = new Date();
  const ids = Array.from({ length: count }, () => newId(at));
  await database.rows(
    `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage, tags,
       created_at, updated_at)
     select $1, id, 'Ada', 'Lovelace', 'lead', '{vip}', $3, $3 from unnest($2::uuid[]) as id`,
    [subAccountId, ids, at],
  );
  return ids;
}

/** Every id of the list, page by page; `between` is called before each further page. */
async function walk({ call }: TestService, query: string, between = async () => {}) {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await call(`${LIST}?${query}${at}`);
    expect([status, body.meta.hasMore]).toEqual([200, body.meta.cursor !== null]);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    ({ cursor } = body.meta);
    await between();
  } while (cursor !== null);
  return seen;
}

const firstCursor = async ({ call }: TestService, query = 'limit=1') =>
  (await call(`${LIST}?${query}`)).body.meta.cursor as string;

async function refused({ call }: TestService, query: string, key = 'full'): Promise<void> {
  const { status, body } = await call(`${LIST}?${query}`, { key });
  expect([query, status, body.error?.details?.issues]).toMatchObject([
    query,
    400,
    [{ in: 'query', path: '/cursor' }],
  ]);
}

describe('pages', () => {
  test('of large records end early, and show each record once', async ({ service }) => {
    const ids = await seed(service, 5);
    // Each has 1.5 MB, and a page 4 MB.
    await service.database.rows(
      `update contacts set custom_fields = jsonb_build_object('notes', repeat('x', 1500000))
       where sub_account_id = $1`,
      [service.subAccountId],
    );
    const { body } = await service.call(`${LIST}?limit=100`);
    expect(body.data).toHaveLength(2);
    expect(body.meta).toMatchObject({ total: 5, hasMore: true });
    expect(await walk(service, 'limit=100')).toEqual(ids.toReversed());
    expect(await walk(service, 'limit=100&search=lovelace')).toEqual(ids.toReversed());
  });

  test.for([1, 7, 20, 100])(
    'of %i show each record once, newest first, though all are of one moment',
    async (limit, { service }) => {
      const ids = await seed(service, 40);
      expect(await walk(service, `limit=${limit}`)).toEqual(ids.toReversed());
    },
  );

  test('skip and repeat nothing while records are created and deleted', async ({ service }) => {
    const ids = await seed(service, 60);
    const kept = new Set(ids);
    const seen = await walk(service, 'limit=9', async () => {
      await service.call('POST /api/v1/contacts', { body: { firstName: 'New', lastName: 'One' } });
      const gone = [...kept][Math.floor(kept.size / 2)] ?? '';
      kept.delete(gone);
      await service.call(`DELETE /api/v1/contacts/${gone}`);
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => kept.has(id))).toEqual([...kept].toReversed());
  });

  test('end with a page that says that it is the last, even if it is full', async ({ service }) => {
    await seed(service, 10);
    expect(await firstCursor(service, 'limit=10')).toBeNull();
    expect(await firstCursor(service, 'limit=9')).toBeTypeOf('string');
  });

  test('can have different sizes', async ({ service }) => {
    const ids = await seed(service, 10);
    const cursor = await firstCursor(service, 'limit=3');
    const { body } = await service.call(`${LIST}?limit=50&cursor=${cursor}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 7).toReversed());
  });
});

describe('a cursor', () => {
  test('is refused with other or fewer filters', async ({ service }) => {
    await seed(service, 5);
    const cursor = await firstCursor(service, 'limit=1&tags=vip&source=web').catch(() => null);
    expect(cursor).toBeNull();
    const filtered = await firstCursor(service, 'limit=1&tags=vip&lifecycleStage=lead');
    for (const filters of [
      '',
      'tags=vip',
      'tags=vip&lifecycleStage=customer',
      'tags=VIP&lifecycleStage=lead',
    ]) {
      await refused(service, `${filters}&limit=1&cursor=${filtered}`);
    }
    const same = `lifecycleStage=lead&tags=vip&cursor=${filtered}`;
    expect((await service.call(`${LIST}?${same}`)).status).toBe(200);
  });

  test('is refused in another sub-account', async ({ service }) => {
    await seed(service, 5);
    await refused(service, `limit=1&cursor=${await firstCursor(service)}`, 'other');
  });

  test('is refused if any character was altered, added or removed', async ({ service }) => {
    await seed(service, 5);
    const cursor = await firstCursor(service);
    const at = fc.nat(cursor.length - 1);
    const character = fc.constantFrom(...'ABCXYZabcxyz0189-_=+/.!~'.split(''));
    await fc.assert(
      fc.asyncProperty(at, character, fc.constantFrom(0, 1), async (index, instead, removed) => {
        const altered = cursor.slice(0, index) + instead + cursor.slice(index + removed);
        fc.pre(altered !== cursor);
        await refused(service, `limit=1&cursor=${encodeURIComponent(altered)}`);
      }),
      { numRuns: 100 },
    );
    for (let end = 1; end < cursor.length; end += 7) {
      await refused(service, `limit=1&cursor=${cursor.slice(0, end)}`);
    }
  });

  test('is refused after a day', async ({ service }) => {
    await seed(service, 5);
    const cursor = await firstCursor(service);
    service.clock.advance(24 * 3_600_000 - 60_000);
    expect((await service.call(`${LIST}?cursor=${cursor}`)).status).toBe(200);
    service.clock.advance(120_000);
    await refused(service, `cursor=${cursor}`);
  });

  test('is valid in every process with the same secret, and in no other', async ({ service }) => {
    await seed(service, 5);
    const [one, two] = [
      await openServer({ databaseUrl: service.databaseUrl }),
      await openServer({ databaseUrl: service.databaseUrl }),
    ];
    const ask = (url: string, query: string) =>
      fetch(`${url}/api/v1/contacts?${query}`, {
        headers: { authorization: `Bearer ${service.keys.full}` },
      });
    const first = (await (await ask(one.url, 'limit=2')).json()) as { meta: { cursor: string } };
    expect((await ask(two.url, `cursor=${first.meta.cursor}`)).status).toBe(200);
    await refused(service, `cursor=${first.meta.cursor}`);
    await Promise.all([one.stop(), two.stop()]);
  });
});
