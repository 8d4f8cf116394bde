import type { JobContext } from '#core/job.ts';
import { handleHousekeeping } from '../../src/operations/housekeeping.ts';
import { expect, test } from '../support/service.ts';

test('jobs that failed for good are kept for a month, others until they are done', async ({
  service,
}) => {
  const { database } = service;
  const job = async (name: string, state: string) => {
    await database.rows('select graphile_worker.add_job($1, max_attempts => 1)', [name]);
    await database.rows(
      `update graphile_worker._private_jobs set ${state} where task_id =
         (select id from graphile_worker._private_tasks where identifier = $1)`,
      [name],
    );
  };
  const old = `updated_at = now() - interval '31 d'`;
  await job('test/given-up', `attempts = 1, ${old}`);
  await job('test/given-up-lately', `attempts = 1, updated_at = now() - interval '29 d'`);
  await job('test/runs', `attempts = 1, locked_at = now(), locked_by = 'w', ${old}`);
  await job('test/waits', `run_at = now() + interval '1 y', ${old}`);
  await handleHousekeeping.handle({}, {
    execute: async (text: string, values: unknown[]) =>
      (await database.pool.query(text, values)).rowCount ?? 0,
    clock: () => new Date(),
    signal: new AbortController().signal,
  } as unknown as JobContext);
  const left = await database.rows<{ name: string }>(
    `select identifier as name from graphile_worker._private_jobs
     join graphile_worker._private_tasks t on t.id = task_id where identifier like 'test/%' order by 1`,
  );
  expect(left.map(({ name }) => name)).toEqual(['test/given-up-lately', 'test/runs', 'test/waits']);
});
