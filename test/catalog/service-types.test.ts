import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const PRICES = {
  subAccount: { currency: 'EUR' },
  serviceTypes: [
    {
      key: 'cleaning',
      name: 'Cleaning 100%',
      description: 'Thorough',
      category: 'Hygiene',
      price: 89,
    },
    {
      key: 'crown',
      name: 'Crown_gold',
      folder: 'Adults',
      price: 900.5,
      currency: 'CHF',
      hasVariablePricing: true,
    },
    { key: 'old', name: 'Old cleaning', price: 1, onSale: false },
  ],
};

const list = async (service: TestService, query = '') =>
  (await service.call(`GET /api/v1/booking/service-types${query}`)).body;

const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

describe('GET /api/v1/booking/service-types', () => {
  test('returns what is on sale, with the total', async ({ service }) => {
    await apply(service, PRICES);
    const { data, meta } = await list(service);
    expect(meta).toEqual({ total: 2, hasMore: false, limit: 50, search: null });
    expect(data).toEqual([
      {
        id: expect.any(String),
        name: 'Crown_gold',
        description: null,
        category: null,
        folder: 'Adults',
        price: 900.5,
        currency: 'CHF',
        hasVariablePricing: true,
      },
      {
        id: expect.any(String),
        name: 'Cleaning 100%',
        description: 'Thorough',
        category: 'Hygiene',
        folder: null,
        price: 89,
        currency: 'EUR',
        hasVariablePricing: false,
      },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('returns total 0 and search null without a price list', async ({ service }) => {
    expect(await list(service)).toEqual({
      data: [],
      meta: { total: 0, hasMore: false, limit: 50, search: null },
    });
  });

  test.for([
    ['CLEAN', ['Cleaning 100%']],
    ['%', ['Cleaning 100%']],
    ['_', ['Crown_gold']],
    ['n_g', ['Crown_gold']],
    ['r%n', []],
    ['crown\\', []],
  ] as const)('search %s finds %j', async ([search, names], { service }) => {
    await apply(service, PRICES);
    const answer = await list(service, `?search=${encodeURIComponent(search)}`);
    expect(namesOf(answer)).toEqual(names);
    expect(answer.meta).toMatchObject({ total: names.length, search });
  });

  test('stops at the limit with hasMore', async ({ service }) => {
    await apply(service, PRICES);
    const { data, meta } = await list(service, '?limit=1');
    expect(data).toHaveLength(1);
    expect(meta).toEqual({ total: 2, hasMore: true, limit: 1, search: null });
  });

  test.for(['limit=0', 'limit=101', `search=${'x'.repeat(101)}`, 'cursor=abc', 'name=x'])(
    'refuses %s',
    async (query, { service }) => {
      const { status } = await service.call(`GET /api/v1/booking/service-types?${query}`);
      expect(status).toBe(400);
    },
  );

  test("never shows another sub-account's", async ({ service }) => {
    await apply(service, PRICES, { to: service.otherSubAccountId });
    expect((await list(service)).meta.total).toBe(0);
  });
});

describe('the section serviceTypes', () => {
  test('is unchanged by a second apply, and exported as it was written', async ({ service }) => {
    await apply(service, PRICES);
    const again = await apply(service, PRICES);
    expect([again.created, again.updated, again.removed]).toEqual([[], [], []]);
    expect((await exported(service)).serviceTypes).toMatchObject(
      PRICES.serviceTypes.map(({ key, name, price }) => ({ key, name, price })),
    );
  });

  test('an entry keeps its id when its price changes, and is removed by a prune', async ({
    service,
  }) => {
    const first = await apply(service, PRICES);
    const [cleaning] = PRICES.serviceTypes;
    const dearer = { serviceTypes: [{ ...cleaning, price: 99 }] };
    const { ids } = await apply(service, dearer, { prune: true });
    expect(ids['serviceTypes']?.['cleaning']).toBe(first.ids['serviceTypes']?.['cleaning']);
    expect((await list(service)).data).toMatchObject([{ name: 'Cleaning 100%', price: 99 }]);
  });
});
