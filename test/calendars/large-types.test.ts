import { createClient } from '../../sdk/src/main.ts';
import { connectAgent } from '../agents/agents.support.ts';
import { apply } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const LIST = '/api/v1/calendars/types';
const PAGE_BYTES = 4_000_000;
/** More than a model reads. */
const TOOL_BYTES = 110_000;

const idsOf = (types: readonly { readonly id: string }[]) => types.map(({ id }) => id);

/** Returns the ids of 300 types, each of which any of 200 members could take: 4.5 MB. */
async function setUp(service: TestService): Promise<string[]> {
  const team = Array.from({ length: 200 }, (_, n) => ({ key: `m${n}`, name: `Member ${n}` }));
  const calendars = ['a', 'b'].map((calendar) => ({
    key: calendar,
    name: 'Calendar',
    type: 'round-robin',
    members: team.map(({ key }) => key),
    types: Array.from({ length: 150 }, (_, n) => ({ key: `${calendar}${n}`, name: `Type ${n}` })),
  }));
  const { ids } = await apply(service, { team, calendars });
  return calendars.flatMap(({ types }) =>
    types.map(({ key }) => ids['appointmentTypes']?.[key] ?? ''),
  );
}

async function pageOf(service: TestService, cursor?: string) {
  const { status, body } = await service.call(
    `GET ${LIST}${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
  );
  expect([status, body.error]).toEqual([200, undefined]);
  expect(JSON.stringify(body.data).length).toBeLessThanOrEqual(PAGE_BYTES);
  return body;
}

describe('many types of many members', () => {
  test('are listed in pages that end at 4 MB, which the client joins', async ({ service }) => {
    const types = await setUp(service);
    const first = await pageOf(service);
    expect(first.meta).toEqual({ hasMore: true, cursor: expect.any(String) });
    expect(first.data.at(-1).members).toHaveLength(200);
    const rest = await pageOf(service, first.meta.cursor);
    expect(rest.meta).toEqual({ hasMore: false, cursor: null });
    expect(idsOf([...first.data, ...rest.data])).toEqual(types);
    const client = createClient({ baseUrl: service.url, apiKey: service.keys.full });
    expect(idsOf(await client.calendars.types())).toEqual(types);
  });

  test('start again if the type at the end of a page was removed', async ({ service }) => {
    await setUp(service);
    const { data, meta } = await pageOf(service);
    await service.database.rows('update appointment_types set deleted_at = now() where id = $1', [
      data.at(-1).id,
    ]);
    const again = await service.call(`GET ${LIST}?cursor=${encodeURIComponent(meta.cursor)}`);
    expect([again.status, again.body.error.details]).toMatchObject([
      400,
      { reason: 'cursor_expired', issues: [{ path: '/cursor' }] },
    ]);
  });

  test('reach agents in smaller pages', async ({ service }) => {
    const types = await setUp(service);
    const { call } = await connectAgent(service.url, service.keys.full);
    const first = await call('find_times');
    expect(JSON.stringify(first.content).length).toBeLessThan(TOOL_BYTES);
    expect(first.content.meta).toEqual({ hasMore: true, cursor: expect.any(String) });
    const next = await call('find_times', { cursor: first.content.meta.cursor });
    const found = idsOf([...first.content.data, ...next.content.data]);
    expect(found.length).toBeGreaterThan(first.content.data.length);
    expect(found).toEqual(types.slice(0, found.length));
  });
});
