import type { Transact, Work } from '#core/work.ts';
import { apply } from '../support/manifest.ts';
import { expect, test } from '../support/service.ts';
import { applyTo } from '../workflows/workflows.support.ts';

const TEAM = 'GET /api/v1/team';
const team = [
  { key: 'zoe', name: 'Zoe Dent', email: 'zoe@example.com' },
  { key: 'ada', name: 'Ada Byron' },
];

test('the team is listed by name, with the ids that assignedTo takes', async ({ service }) => {
  const { ids } = await apply(service, { team });

  const { status, body } = await service.call(TEAM);

  expect([status, body]).toEqual([
    200,
    {
      data: [
        { id: ids?.['team']?.['ada'], key: 'ada', name: 'Ada Byron', email: null },
        { id: ids?.['team']?.['zoe'], key: 'zoe', name: 'Zoe Dent', email: 'zoe@example.com' },
      ],
    },
  ]);
  const contact = { firstName: 'A', lastName: 'B', assignedTo: body.data[0].id };
  expect((await service.call('POST /api/v1/contacts', { body: contact })).status).toBe(201);
});

test('the team of another sub-account is not listed', async ({ service }) => {
  await apply(service, { team });

  expect((await service.call(TEAM, { key: 'other' })).body).toEqual({ data: [] });
});

test('reading the team fires nothing', async ({ service }) => {
  await service.call(TEAM);

  expect(await service.eventNames()).toEqual([]);
});

test('removing a member unassigns their records, a few thousand per statement', async ({
  service,
}) => {
  const { database, subAccountId } = service;
  const { ids } = await apply(service, { team });
  const member = ids?.['team']?.['ada'];
  await database.rows(
    `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage, tags,
       assigned_to, created_at, updated_at, deleted_at)
     select $1, gen_random_uuid(), 'A', 'B', 'lead', '{}', $2, now(), now(),
       case when n = 1 then now() end
     from generate_series(0, 10001) n`,
    [subAccountId, member],
  );
  const counts: unknown[] = [];
  const counted = (work: Work): Work => ({
    ...work,
    async rows<T extends object>(text: string, values: readonly unknown[]) {
      const found = await work.rows<T>(text, values);
      counts.push(...(text.includes('update contacts') ? found : []));
      return found;
    },
  });
  const transact: Transact = (sub, actor, change, conclude) =>
    service.transact(sub, actor, (work) => change(counted(work)), conclude);

  await applyTo({ ...service, transact }, subAccountId, { team: team.slice(0, 1) }, true);

  expect(counts).toEqual([{ count: 5_000 }, { count: 5_000 }, { count: 1 }]);
  const left = 'select from contacts where sub_account_id = $1 and assigned_to is not null';
  expect(await database.rows(left, [subAccountId])).toEqual([]);
  expect(await service.eventNames()).toEqual([]);
});
