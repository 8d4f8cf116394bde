import { expect, test } from 'vitest';
import { keepHouse } from '../support/keep-house.ts';
import type { Service } from '../../src/commands/server/open-service.ts';
import { findWorkflows } from '../../src/workflows/definition/find-workflows.ts';
import { FROM_OUTSIDE } from '../../src/workflows/runs/effects.ts';
import { startRuns } from '../../src/workflows/triggers/start-runs.ts';
import { advanceRun, readEvents } from '../../src/workflows/runs/workflows.jobs.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import {
  applyTo,
  begin,
  contactIn,
  logOf,
  runsIn,
  runThatIs,
  workflowOf,
} from './workflows.support.ts';

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const SHORTLY = 0.01;

const endedOn = ({ database }: Service, runId: string, at: Date) =>
  database.rows('update workflow_runs set finished_at = $2 where id = $1', [runId, at]);

const signals = async ({ database }: Service) =>
  (await database.rows('select 1 from workflow_signals')).length;

const TAGGED = {
  workflows: [
    {
      slug: 'flow',
      name: 'Flow',
      triggers: [{ on: 'contact.created' }],
      steps: [{ addTag: 'welcomed' }],
    },
    {
      slug: 'waiting',
      name: 'Waiting',
      reenter: true,
      steps: [{ goal: { event: 'contact.updated' } }, { wait: { for: '400d' } }],
    },
  ],
};

test('a run that finished 90 days ago is deleted with its log, and its event starts no second run', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, TAGGED);
  await service.startWorker();
  await contactIn(service, sub);
  const { id } = await runThatIs(service, sub, 'completed', 'flow');
  await endedOn(service, id, daysAgo(90 - SHORTLY));
  await keepHouse(service);
  expect(await logOf(service, sub, id)).toHaveLength(1);
  await endedOn(service, id, daysAgo(90 + SHORTLY));
  await keepHouse(service);
  expect(await runsIn(service, sub)).toEqual([]);
  expect(await logOf(service, sub, id)).toEqual([]);

  // Late jobs have nothing to do.
  await service.transact(sub, OPERATOR, async (work) => {
    work.enqueue(readEvents, { subAccountId: sub });
    work.enqueue(advanceRun, { subAccountId: sub, runId: id });
  });
  await expect
    .poll(
      () =>
        service.database.rows(
          `select 1 from graphile_worker._private_jobs j
           join graphile_worker._private_tasks t on t.id = j.task_id
           where t.identifier like 'workflows/%'`,
        ),
      { timeout: 60_000 },
    )
    .toEqual([]);
  expect(await runsIn(service, sub)).toEqual([]);
});

test('a waiting run is kept whatever its age, and a cancelled one is deleted with its signals', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, TAGGED);
  const contactId = await contactIn(service, sub);
  const [waiting, cancelled] = [
    ...(await begin(service, sub, [contactId], 'waiting')),
    ...(await begin(service, sub, [contactId], 'waiting')),
  ] as [string, string];
  const { database } = service;
  await database.rows('update workflow_runs set created_at = $1', [daysAgo(400)]);
  await database.rows(
    `insert into workflow_signals (sub_account_id, id, run_id, event)
     select sub_account_id, id, id, 'contact.updated' from workflow_runs`,
  );
  await database.rows(
    `update workflow_runs set status = 'cancelled', finished_at = $2 where id = $1`,
    [cancelled, daysAgo(91)],
  );
  await keepHouse(service);
  expect((await runsIn(service, sub)).map(({ id }) => id)).toEqual([waiting]);
  expect(await signals(service)).toBe(1);
});

const versionsOf = async ({ database }: Service): Promise<string[]> => {
  const rows = await database.rows<{ id: string }>('select id from workflow_versions order by id');
  return rows.map(({ id }) => id);
};

test('steps that were replaced a day ago are deleted once no run uses them, and the current ones stay', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const stepped = (tag: string) => applyTo(service, sub, workflowOf([{ addTag: tag }]));
  await stepped('first');
  const [runId = ''] = await begin(service, sub, [null]);
  await stepped('second');
  await stepped('third');
  const [first = '', , third = ''] = await versionsOf(service);
  const { database } = service;
  const replaced = (at: Date) =>
    database.rows('update workflow_versions set created_at = $1', [at]);
  await replaced(daysAgo(1 - SHORTLY));
  await keepHouse(service);
  expect(await versionsOf(service)).toHaveLength(3);
  await replaced(daysAgo(1 + SHORTLY));
  await keepHouse(service);
  expect(await versionsOf(service)).toEqual([first, third]);
  await database.rows(
    `update workflow_runs set status = 'cancelled', finished_at = $2 where id = $1`,
    [runId, daysAgo(91)],
  );
  await keepHouse(service);
  expect(await versionsOf(service)).toEqual([third]);
  await begin(service, sub, [null]);
  await service.startWorker();
  await runThatIs(service, sub, 'completed');
});

test('a version on which a run is starting is kept, and neither side waits', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ addTag: 'first' }]));
  const [workflow] = await findWorkflows(service.openView(sub, service.clock()), 'flow');
  await applyTo(service, sub, workflowOf([{ addTag: 'second' }]));
  const { database } = service;
  await database.rows('update workflow_versions set created_at = $1', [daysAgo(2)]);
  await service.transact(sub, OPERATOR, async (work) => {
    const of = { workflowId: workflow!.id, slug: 'flow', versionId: workflow!.versionId };
    const rest = {
      reenter: false,
      trigger: 'test',
      data: {},
      ...FROM_OUTSIDE,
      sincePosition: null,
    };
    await startRuns(work, [{ ...of, ...rest, contactId: null }]);
    await keepHouse(service);
  });
  expect(await versionsOf(service)).toHaveLength(2);
});
