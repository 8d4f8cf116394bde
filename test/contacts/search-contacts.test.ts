import { newId } from '#lib/id.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

/** As many as make a text frequent among the newest contacts, and reading all texts cheaper. */
const COUNTS = { Rarely: 3, Katharina: 40, Everywhere: 150 };
/** The longest names and company: the text is longer than an entry of a B-tree may be. */
const LONG = {
  firstName: '😀'.repeat(200),
  lastName: `${'😀'.repeat(191)}Katharina`,
  company: '😀'.repeat(255),
  email: `${'m'.repeat(242)}@example.org`,
};
const BTREE_ENTRY_MAX = 2_704;

interface Contact {
  readonly firstName: string;
  readonly lastName?: string;
  readonly company?: string;
  readonly email?: string;
}

const insert = (service: TestService, subAccountId: string, contacts: readonly Contact[]) =>
  service.database.rows(
    `insert into contacts (sub_account_id, id, first_name, last_name, company, email,
       lifecycle_stage, created_at, updated_at)
     select $1, (given ->> 'id')::uuid, given ->> 'firstName', coalesce(given ->> 'lastName', 'Test'),
       given ->> 'company', given ->> 'email', 'lead', now(), now()
     from jsonb_array_elements($2::jsonb) as given`,
    [subAccountId, JSON.stringify(contacts.map((one) => ({ ...one, id: newId(new Date()) })))],
  );

/** Mixes frequent and rare names, with a long text among them. */
const load = (service: TestService, subAccountId: string) => {
  const names = Object.entries(COUNTS).flatMap(([firstName, count]) =>
    Array.from({ length: count }, (_, n) => ({ firstName, place: (n * 7_919) % 151 })),
  );
  const mixed = names.toSorted((one, other) => one.place - other.place);
  return insert(service, subAccountId, [...mixed.slice(0, 20), LONG, ...mixed.slice(20)]);
};

/** The ids of all contacts with this text, newest first, as a comparison of every row finds them. */
const expected = async ({ database, subAccountId }: TestService, text: string) => {
  const rows = await database.rows<{ id: string }>(
    `select id from contacts where sub_account_id = $1 and deleted_at is null
       and position(fold_text($2) in search_text) > 0 order by id desc`,
    [subAccountId, text],
  );
  return rows.map(({ id }) => id);
};

async function pagesOf(service: TestService, search: string, limit: number) {
  const ids: string[] = [];
  const totals = new Set<number>();
  let cursor: string | null = null;
  do {
    const query = `?search=${encodeURIComponent(search)}&limit=${limit}`;
    const page = cursor ? `${query}&cursor=${cursor}` : query;
    const { status, body } = await service.call(`GET /api/v1/contacts${page}`);
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    totals.add(body.meta.total);
    ({ cursor } = body.meta);
  } while (cursor);
  return { ids, totals: [...totals] };
}

describe('a search of contacts', () => {
  test.for([
    'rarely',
    'ra',
    'Kathar',
    'ka',
    'everywhere',
    'ev',
    'es',
    '😀😀',
    'na\nmm',
    'zz',
    'zzz',
  ])(
    'for %j finds every match once, newest first, with the size of the result',
    async (text, { service }) => {
      await load(service, service.subAccountId);
      const ids = await expected(service, text);
      const found = await pagesOf(service, text, 20);
      expect(found).toEqual({ ids, totals: [ids.length] });
    },
  );

  test('finds texts of any length', async ({ service }) => {
    await insert(service, service.subAccountId, [LONG, { firstName: 'Katharina' }]);
    const [{ bytes } = { bytes: 0 }] = await service.database.rows<{ bytes: number }>(
      'select max(octet_length(search_text)) as bytes from contacts where sub_account_id = $1',
      [service.subAccountId],
    );
    expect(bytes).toBeGreaterThan(BTREE_ENTRY_MAX);
    for (const text of ['katharina', 'ka']) {
      expect((await pagesOf(service, text, 50)).totals).toEqual([2]);
    }
  });

  test('finds nothing that is deleted or belongs to another sub-account', async ({ service }) => {
    await load(service, service.subAccountId);
    await load(service, service.otherSubAccountId);
    await service.database.rows(
      `update contacts set deleted_at = now() where sub_account_id = $1 and first_name <> 'Rarely'`,
      [service.subAccountId],
    );
    for (const text of ['everywhere', 'ev', 'katharina', 'ka']) {
      expect(await pagesOf(service, text, 50)).toEqual({ ids: [], totals: [0] });
    }
    expect((await pagesOf(service, 'rarely', 50)).totals).toEqual([COUNTS.Rarely]);
  });
});
