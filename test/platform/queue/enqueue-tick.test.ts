import { beforeEach } from 'vitest';
import { DAY_MS } from '#lib/duration.ts';
import { ENQUEUE_TICK } from '#platform/queue/private-tables.ts';
import { expect, test } from '../../support/service.ts';
import type { Service } from '../../../src/commands/server/open-service.ts';

/** A job of its own for each test: they share a database. */
let job = '';
beforeEach(() => {
  job = `test/${crypto.randomUUID()}`;
});

const AT_1 = new Date('2026-03-01T12:00:00Z');
const AT_2 = new Date('2026-03-01T12:05:00Z');
const AT_3 = new Date('2026-03-01T12:10:00Z');

type Database = Service['database'];

const tick = ({ rows }: Database, at: Date) => rows(ENQUEUE_TICK, [job, at, 1]);
const keys = async ({ rows }: Database) => {
  const jobs = await rows<{ key: string }>(
    'select key from graphile_worker._private_jobs where key like $1 order by key',
    [`${job}@%`],
  );
  return jobs.map(({ key }) => key);
};
/** Ends the waiting job, as a worker does when it is done. */
const finish = ({ rows }: Database) =>
  rows('delete from graphile_worker._private_jobs where key like $1', [`${job}@%`]);
const run = ({ rows }: Database, isEnded: boolean) =>
  rows(
    `update graphile_worker._private_jobs set attempts = 1,
       locked_at = case when $2 then null else now() end,
       locked_by = case when $2 then null else 'pool' end
     where key like $1`,
    [`${job}@%`, isEnded],
  );

test('the first tick ever is recorded, and no job is queued', async ({ service: { database } }) => {
  await tick(database, AT_1);
  expect(await keys(database)).toEqual([]);
});

test('workers that claim a tick at the same time queue one job', async ({
  service: { database },
}) => {
  await tick(database, AT_1);
  await Promise.all([1, 2, 3, 4].map(() => tick(database, AT_2)));
  expect(await keys(database)).toEqual([`${job}@2026-03-01T12:05:00Z`]);
});

test('a tick whose job is done already is not queued again, nor an earlier one', async ({
  service: { database },
}) => {
  await tick(database, AT_1);
  await tick(database, AT_2);
  await finish(database);
  await tick(database, AT_2);
  await tick(database, AT_1);
  expect(await keys(database)).toEqual([]);
});

test('no job is queued while the one of the tick before waits or runs', async ({
  service: { database },
}) => {
  await tick(database, AT_1);
  await tick(database, AT_2);
  await tick(database, AT_3);
  expect(await keys(database)).toEqual([`${job}@2026-03-01T12:05:00Z`]);
  await run(database, false);
  await tick(database, AT_3);
  expect(await keys(database)).toEqual([`${job}@2026-03-01T12:05:00Z`]);
  await finish(database);
  await tick(database, AT_3);
  expect(await keys(database)).toEqual([`${job}@2026-03-01T12:10:00Z`]);
});

test('a job replaces the one of the tick before if that failed for good', async ({
  service: { database },
}) => {
  await tick(database, AT_1);
  await tick(database, AT_2);
  await run(database, true);
  await tick(database, AT_3);
  expect(await keys(database)).toEqual([`${job}@2026-03-01T12:10:00Z`]);
});

test('a tick that a clock far ahead has recorded does not block the others', async ({
  service: { database },
}) => {
  await tick(database, AT_1);
  await tick(database, new Date(Date.now() + DAY_MS));
  await finish(database);
  const [row] = await database.rows<{ now: Date }>('select now() as now');
  await tick(database, row?.now as Date);
  expect(await keys(database)).toHaveLength(1);
});

test('a job of another task with the key of a tick blocks nothing, and gives the key up', async ({
  service: { database },
}) => {
  await tick(database, AT_1);
  const add = 'select graphile_worker.add_job($1, $2, job_key => $3)';
  await database.rows(add, ['test/other', '{}', `${job}@2026-03-01T12:00:00Z`]);
  await database.rows(add, ['test/other', '{}', `${job}@2026-03-01T12:05:00Z`]);
  await tick(database, AT_2);
  const queued = await database.rows<{ key: string }>(
    'select key from graphile_worker.jobs where task_identifier = $1',
    [job],
  );
  expect(queued).toEqual([{ key: `${job}@2026-03-01T12:05:00Z` }]);
});
