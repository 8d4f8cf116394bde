import { describe, expect, test, type TestService } from '../support/service.ts';

interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly [field: string]: unknown;
}

/** Creates contacts in order; the list shows them in reverse. */
async function people(service: TestService, ...given: Person[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of given) {
    const reply = await service.call('POST /api/v1/contacts', { body });
    expect(reply.status).toBe(201);
    ids.push(reply.body.data.id);
  }
  return ids;
}

const named = (firstName: string, more: object = {}): Person => ({
  firstName,
  lastName: 'Test',
  ...more,
});

const find = async (service: TestService, query: string) => {
  const { status, body } = await service.call(`GET /api/v1/contacts${query}`);
  expect(status).toBe(200);
  return {
    names: body.data.map(({ firstName }: any) => firstName),
    total: body.meta.total,
    hasMore: body.meta.hasMore,
    cursor: body.meta.cursor,
  };
};

describe('GET /api/v1/contacts', () => {
  test('lists newest first with the size of the whole set', async ({ service }) => {
    await people(service, named('A'), named('B'), named('C'));
    expect(await find(service, '')).toEqual({
      names: ['C', 'B', 'A'],
      total: 3,
      hasMore: false,
      cursor: null,
    });
  });

  test.for([
    ['part of a first name', 'rdin', ['Jürdin']],
    ['the full name across the space', 'rdin te', ['Jürdin']],
    ['a text without accents in one with accents', 'jurdin', ['Jürdin']],
    ['a text with accents in one without', 'Pláin', ['Plain']],
    ['another case', 'PLAIN', ['Plain']],
    ['part of an email', 'mail.exa', ['Plain']],
    ['part of a company', 'nalyt', ['Plain']],
    ['two characters', 'ür', ['Jürdin']],
    ['a percent sign as itself', '5%', ['Odd']],
    ['an underscore as itself', 'a_b', ['Odd']],
    ['a backslash as itself', String.raw`\x`, ['Odd']],
    ['a wildcard that matches nothing', '%%', []],
    ['no text across two fields', 'test plain', []],
    ['an unknown text', 'zzzz', []],
  ] as const)('search finds %s', async ([, search, names], { service }) => {
    await people(
      service,
      named('Jürdin'),
      named('Plain', { email: 'plain@mail.example.com', company: 'Analytical' }),
      named('Odd', { company: String.raw`5% a_b \x` }),
    );
    const found = await find(service, `?search=${encodeURIComponent(search)}`);
    expect([found.names, found.total]).toEqual([names, names.length]);
  });

  test.for([
    ['?lifecycleStage=customer', ['C']],
    ['?source=web', ['B']],
    ['?tags=vip', ['C', 'A']],
    ['?tags=VIP,new', ['A']],
    ['?tags=no-one', []],
    ['?hasPhone=true', ['D', 'B']],
    ['?hasPhone=false', ['C', 'A']],
    ['?email=A@example.com', ['A']],
    ['?email=second@EXAMPLE.com', ['A']],
    ['?email=no-one@example.com', []],
    ['?phone=%2B4930123456', ['D', 'B']],
    ['?phone=%2B4930123456&source=web', ['B']],
    ['?phone=%2B4930123457', []],
    ['?tags=vip&lifecycleStage=customer', ['C']],
    ['?search=test&tags=vip&lifecycleStage=lead', ['A']],
    [`?assignedTo=${crypto.randomUUID()}`, []],
  ] as const)('%s filters', async ([query, names], { service }) => {
    await people(
      service,
      named('A', {
        tags: ['vip', 'New'],
        email: 'a@example.com',
        additionalEmails: ['Second@example.com'],
      }),
      named('B', { source: 'web', phone: '+4930123456' }),
      named('C', { tags: ['VIP'], lifecycleStage: 'customer' }),
      named('D', { additionalPhones: ['+4930123456'] }),
    );
    const found = await find(service, query);
    expect([found.names, found.total, found.hasMore]).toEqual([names, names.length, false]);
  });

  test('a phone whose + arrives as a space is refused with the way to write it', async ({
    service,
  }) => {
    const { body } = await service.call('GET /api/v1/contacts?phone=+4930123456');
    expect(body.error.message).toMatch(/E\.164.*; write its \+ as %2B in a URL$/);
  });

  test('assignedTo filters by team member', async ({ service }) => {
    const anna = crypto.randomUUID();
    await service.database.rows(
      `insert into team_members (sub_account_id, id, key, name, created_at, updated_at)
       values ($1, $2, 'anna', 'Anna', now(), now())`,
      [service.subAccountId, anna],
    );
    await people(service, named('A', { assignedTo: anna }), named('B'));
    expect((await find(service, `?assignedTo=${anna}`)).names).toEqual(['A']);
  });

  test.for([
    '?search=a',
    '?search=%20a%20',
    '?limit=0',
    '?limit=101',
    '?limit=1.5',
    '?limit=x',
    '?hasPhone=yes',
    '?lifecycleStage=vip',
    '?assignedTo=x',
    '?unknown=1',
    '?search=',
    '?cursor=x',
    '?tags=',
    '?source=a&source=b',
  ] as const)('%s is refused', async (query, { service }) => {
    const { status, body } = await service.call(`GET /api/v1/contacts${query}`);
    expect([status, body.error.code, body.error.details.issues[0].in]).toEqual([
      400,
      'VALIDATION_ERROR',
      'query',
    ]);
  });

  test('the pages of every filter return each contact once', async ({ service }) => {
    const names = Array.from({ length: 23 }, (_, index) => `P${String(index).padStart(2, '0')}`);
    await people(service, ...names.map((name) => named(name, { tags: ['all'] })));
    for (const filter of ['', 'tags=all&', 'search=test&']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await find(service, `?${filter}limit=5${cursor ? `&cursor=${cursor}` : ''}`);
        expect([page.total, page.hasMore]).toEqual([23, page.cursor !== null]);
        seen.push(...page.names);
        ({ cursor } = page);
      } while (cursor);
      expect(seen).toEqual([...names].toReversed());
    }
  });

  test('the last full page has no next cursor', async ({ service }) => {
    await people(service, named('A'), named('B'));
    expect(await find(service, '?limit=2')).toMatchObject({ hasMore: false, cursor: null });
  });

  test('a page after the last contact has the size of the set', async ({ service }) => {
    const [oldest = ''] = await people(service, named('A'), named('B', { tags: ['b'] }));
    for (const filter of ['', 'search=test&', 'lifecycleStage=lead&']) {
      const { cursor } = await find(service, `?${filter}limit=1`);
      await service.database.rows('update contacts set deleted_at = now() where id = $1', [oldest]);
      const end = await find(service, `?${filter}limit=1&cursor=${cursor}`);
      expect(end).toEqual({ names: [], total: 1, hasMore: false, cursor: null });
      await service.database.rows('update contacts set deleted_at = null where id = $1', [oldest]);
    }
  });

  test('the total is exact while many create and delete at once', async ({ service }) => {
    const ids = await people(service, ...Array.from({ length: 30 }, (_, n) => named(`N${n}`)));
    await Promise.all([
      ...ids.slice(0, 15).map((id) => service.call(`DELETE /api/v1/contacts/${id}`)),
      ...Array.from({ length: 20 }, (_, n) =>
        service.call('POST /api/v1/contacts', { body: named(`M${n}`) }),
      ),
    ]);
    expect((await find(service, '?limit=1')).total).toBe(35);
    await service.database.rows(`select fold_tally($1, 'contacts')`, [service.subAccountId]);
    expect((await find(service, '?limit=1')).total).toBe(35);
    expect((await find(service, '?search=test&limit=1')).total).toBe(35);
  });
});
