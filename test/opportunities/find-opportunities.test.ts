import { apply } from '../support/manifest.ts';
import { contactOf, dealOf, SALES, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const find = async (service: TestService, query: string, key = 'full') => {
  const { status, body } = await service.call(`GET /api/v1/opportunities${query}`, { key });
  expect(status, query).toBe(200);
  const { total, hasMore, cursor } = body.meta;
  return { names: body.data.map(({ name }: any) => name), total, hasMore, cursor };
};

/** Creates opportunities of one contact in this order; the list returns them in reverse. */
async function deals(service: TestService, ...given: object[]): Promise<any[]> {
  const { pipelineId } = await salesOf(service);
  const contactId = await contactOf(service);
  const made = [];
  for (const more of given) {
    const body = { pipelineId, contactId, ...more };
    const reply = await service.call('POST /api/v1/opportunities', { body });
    expect(reply.status).toBe(201);
    made.push(reply.body.data);
  }
  return made;
}

describe('GET /api/v1/opportunities', () => {
  test('lists complete records newest first, with the total', async ({ service }) => {
    const made = await deals(service, { name: 'A' }, { name: 'B' }, { name: 'C' });
    expect(await find(service, '')).toEqual({
      names: ['C', 'B', 'A'],
      total: 3,
      hasMore: false,
      cursor: null,
    });
    const { body } = await service.call('GET /api/v1/opportunities');
    expect(body.data).toEqual(made.toReversed());
    expect(await find(service, '', 'other')).toMatchObject({ names: [], total: 0 });
  });

  test.for([
    ['part of a name', 'pla', ['Implants']],
    ['another case and no accents', 'ZAHNE', ['Zähne 5% a_b']],
    ['a percent sign as itself', '5%', ['Zähne 5% a_b']],
    ['an underscore as itself', 'a_b', ['Zähne 5% a_b']],
    ['a wildcard that matches nothing', '%%', []],
    ['a text that matches nothing', 'zzz', []],
  ] as const)('search finds %s', async ([, search, names], { service }) => {
    await deals(service, { name: 'Implants' }, { name: 'Zähne 5% a_b' });
    const found = await find(service, `?search=${encodeURIComponent(search)}`);
    expect([found.names, found.total]).toEqual([names, names.length]);
  });

  test('filters by every field, alone and together', async ({ service }) => {
    const { ids } = await apply(service, {
      team: [{ key: 'anna', name: 'Anna' }],
      pipelines: [SALES, { ...SALES, key: 'other', name: 'Other' }],
    });
    const [anna, other] = [ids['team']?.['anna'], ids['pipelines']?.['other']];
    const { pipelineId, stages } = await salesOf(service);
    const [, b] = await deals(
      service,
      { name: 'Aa', tags: ['vip', 'New'], assignedTo: anna },
      { name: 'Bb', stageId: stages.offer, tags: ['VIP'] },
      { name: 'Cc', pipelineId: other },
    );
    const lone = await dealOf(service, { name: 'Dd' });
    await service.call(`PUT /api/v1/opportunities/${b.id}/status`, { body: { status: 'won' } });
    for (const [query, names] of [
      [`?pipelineId=${pipelineId}`, ['Dd', 'Bb', 'Aa']],
      [`?pipelineId=${other}`, ['Cc']],
      [`?stageId=${stages.offer}`, ['Bb']],
      [`?stageId=${stages.offer.toUpperCase()}`, ['Bb']],
      [`?contactId=${lone.contactId}`, ['Dd']],
      ['?status=won', ['Bb']],
      ['?status=open', ['Dd', 'Cc', 'Aa']],
      [`?assignedTo=${anna}`, ['Aa']],
      ['?tags=vip', ['Bb', 'Aa']],
      ['?tags=VIP,new', ['Aa']],
      ['?tags=unused', []],
      [`?pipelineId=${pipelineId}&status=open&tags=vip`, ['Aa']],
      [`?search=bb&status=won&stageId=${stages.offer}`, ['Bb']],
      ['?search=bb&status=open', []],
    ] as const) {
      const { names: found, total } = await find(service, query);
      expect([query, found, total]).toEqual([query, names, names.length]);
    }
  });

  test('an unknown or foreign id as a filter returns an empty list', async ({ service }) => {
    await deals(service, { name: 'A' });
    const theirs = await dealOf(service, {}, 'other');
    for (const name of ['pipelineId', 'stageId', 'contactId', 'assignedTo']) {
      for (const id of [theirs[name] ?? crypto.randomUUID(), crypto.randomUUID()]) {
        expect(await find(service, `?${name}=${id}`)).toMatchObject({ names: [], total: 0 });
      }
    }
  });

  test('updatedAfter finds later changes, in any zone', async ({ service }) => {
    const [a, b] = await deals(service, { name: 'A' }, { name: 'B' });
    service.clock.advance(3_600_000);
    const { body } = await service.call(`PATCH /api/v1/opportunities/${a.id}`, {
      body: { value: 1 },
    });
    const after = (time: string) => find(service, `?updatedAfter=${encodeURIComponent(time)}`);
    expect((await after(b.updatedAt)).names).toEqual(['A']);
    expect((await after(body.data.updatedAt)).names).toEqual([]);
    const zoned = new Date(Date.parse(b.updatedAt) - 1 + 2 * 3_600_000).toISOString();
    expect((await after(zoned.replace('Z', '+02:00'))).names).toEqual(['B', 'A']);
    expect((await after('0000-01-01T00:00:00Z')).total).toBe(2);
    expect((await after('9999-12-31T23:59:59Z')).total).toBe(0);
  });

  test.for([
    '?search=a',
    '?status=paused',
    '?pipelineId=x',
    '?updatedAfter=1796137200000',
    '?updatedAfter=2027-01-31',
    '?tags=',
    '?limit=0',
    '?limit=101',
    '?closedAfter=2027-01-31T00:00:00Z',
    '?cursor=x',
  ])('%s is refused', async (query, { service }) => {
    const { status, body } = await service.call(`GET /api/v1/opportunities${query}`);
    expect([status, body.error.details.issues[0].in]).toEqual([400, 'query']);
  });

  test('pages of every filter return the whole set once, also during changes', async ({
    service,
  }) => {
    const names = Array.from({ length: 13 }, (_, n) => `Deal ${String(n).padStart(2, '0')}`);
    const made = await deals(service, ...names.map((name) => ({ name, tags: ['all'] })));
    for (const filter of ['', 'tags=all&', 'search=deal&', `pipelineId=${made[0].pipelineId}&`]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await find(service, `?${filter}limit=4${cursor ? `&cursor=${cursor}` : ''}`);
        expect(page.hasMore).toBe(page.cursor !== null);
        seen.push(...page.names);
        ({ cursor } = page);
        const [brief] = await deals(service, { name: 'Deal that comes', tags: ['all'] });
        await service.call(`DELETE /api/v1/opportunities/${brief.id}`);
      } while (cursor);
      expect(seen).toEqual(names.toReversed());
    }
  });

  test('the total is exact during simultaneous creations and deletions', async ({ service }) => {
    const made = await deals(service, ...Array.from({ length: 12 }, (_, n) => ({ name: `N${n}` })));
    const [{ pipelineId, contactId }] = made;
    await Promise.all([
      ...made.slice(0, 6).map(({ id }) => service.call(`DELETE /api/v1/opportunities/${id}`)),
      ...Array.from({ length: 9 }, (_, n) =>
        service.call('POST /api/v1/opportunities', {
          body: { name: `M${n}`, pipelineId, contactId },
        }),
      ),
    ]);
    expect((await find(service, '?limit=1')).total).toBe(15);
    await service.database.rows(`select fold_tally($1, 'opportunities')`, [service.subAccountId]);
    expect((await find(service, '?limit=1')).total).toBe(15);
    expect((await find(service, '?status=open&limit=1')).total).toBe(15);
  });
});
