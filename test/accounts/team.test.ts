import { apply } from '../support/manifest.ts';
import { expect, test } from '../support/service.ts';

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
