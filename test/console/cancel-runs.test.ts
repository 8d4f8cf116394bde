import { signInAs } from '../support/people.ts';
import { expect, test } from '../support/service.ts';
import { applyTo, begin, contactIn, workflowOf } from '../workflows/workflows.support.ts';

const V1 = '/console/api/v1';

test('runs are cancelled by id, or all of a workflow that wait', async ({ service }) => {
  const { subAccountId, database } = service;
  const { call, email } = await signInAs(service, 'admin');
  const steps = [{ wait: { for: '1h' } }];
  await applyTo(service, subAccountId, workflowOf(steps));
  await applyTo(service, subAccountId, workflowOf(steps, { slug: 'other', name: 'Other' }));
  const contacts = await Promise.all(
    Array.from({ length: 6 }, () => contactIn(service, subAccountId)),
  );
  const ids = await begin(service, subAccountId, contacts);
  const [one = '', two = '', three = ''] = ids;
  await database.rows(`update workflow_runs set status = 'waiting' where id <> $1`, [three]);
  const [other] = await database.rows<{ id: string }>(
    `select id from workflows where slug = 'other'`,
  );
  await database.rows('update workflow_runs set workflow_id = $2 where id = $1', [
    ids[5],
    other?.id,
  ]);
  await service.events();
  const cancel = (body: object) => call(`POST ${V1}/runs/cancel`, { body });
  const unknown = crypto.randomUUID();
  await call(`POST ${V1}/runs/${two}/cancel`);
  expect((await cancel({ runIds: [one, two, unknown] })).body.data).toEqual({
    cancelled: 1,
    notCancelled: [two, unknown],
    remaining: 0,
  });
  // The run that does not wait, and those of other workflows, stay.
  expect((await cancel({ workflow: 'flow' })).body.data).toEqual({
    cancelled: 2,
    notCancelled: [],
    remaining: 0,
  });
  const left = await database.rows<{ id: string }>(
    'select id from workflow_runs where sub_account_id = $1 and finished_at is null',
    [subAccountId],
  );
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([three, ids[5]]));
  const why = await database.rows(
    'select distinct error from workflow_runs where sub_account_id = $1 and error is not null',
    [subAccountId],
  );
  expect(why).toEqual([{ error: `cancelled by ${email}` }]);
  const { body: audit } = await call(`GET ${V1}/audit?actor=${email}&limit=100`);
  const many = audit.data.filter(({ operation }: any) => operation === 'runs.cancel-many');
  const [flow] = await database.rows<{ id: string }>(
    `select id from workflows where sub_account_id = $1 and slug = 'flow'`,
    [subAccountId],
  );
  expect(many.map(({ recordId }: any) => recordId)).toEqual([flow?.id, flow?.id]);
  expect(await service.eventNames()).toEqual([]);

  for (const body of [{}, { runIds: [one], workflow: 'flow' }, { runIds: [] }]) {
    expect((await cancel(body)).status).toBe(400);
  }
  const tooMany = Array.from({ length: 101 }, () => crypto.randomUUID());
  expect((await cancel({ runIds: tooMany })).status).toBe(400);
  expect((await cancel({ workflow: 'none' })).status).toBe(404);
  const agent = await signInAs(service, 'agent');
  expect((await agent.call(`POST ${V1}/runs/cancel`, { body: {} })).status).toBe(403);
});

test('one call cancels at most 500 runs of a workflow, oldest first, and says how many still wait', async ({
  service,
}) => {
  const { subAccountId, database } = service;
  const { call } = await signInAs(service, 'admin');
  await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
  const ids = await begin(
    service,
    subAccountId,
    Array.from({ length: 502 }, () => null),
  );
  await database.rows(`update workflow_runs set status = 'waiting' where sub_account_id = $1`, [
    subAccountId,
  ]);
  const cancel = async () =>
    (await call(`POST ${V1}/runs/cancel`, { body: { workflow: 'flow' } })).body.data;
  expect(await cancel()).toEqual({ cancelled: 500, notCancelled: [], remaining: 2 });
  const left = await database.rows<{ id: string }>(
    `select id from workflow_runs where sub_account_id = $1 and status = 'waiting'`,
    [subAccountId],
  );
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set(ids.toSorted().slice(500)));
  expect(await cancel()).toEqual({ cancelled: 2, notCancelled: [], remaining: 0 });
  expect(await cancel()).toEqual({ cancelled: 0, notCancelled: [], remaining: 0 });
});
