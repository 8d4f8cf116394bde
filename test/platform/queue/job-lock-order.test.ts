import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  recoverJobsOfDeadWorkers,
  recoverLostJobs,
  requeueJobs,
} from '#platform/queue/recover-jobs.ts';
import { deleteRows } from '../../../src/backup/sub-account/purge-sub-account.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { openFinishing } from '#platform/queue/lane-pool.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const log = pino({ level: 'silent' });
const WAIT = { timeout: 60_000, interval: 20 };
const SUB_ACCOUNT = '0198c0de-0000-7000-8000-000000000001';
const JOBS = 'graphile_worker._private_jobs';

let testDatabase: TestDatabase;
let database: Database;
let ids: string[];
beforeEach(async () => {
  testDatabase = await createDatabase();
  database = openDatabase({ url: testDatabase.url, connections: 10, name: 'test', log });
  await database.rows(
    `select graphile_worker.add_job('test/x', json_build_object('subAccountId', $1::text),
       job_key => key) from unnest('{c,b,a}'::text[]) as key`,
    [SUB_ACCOUNT],
  );
  await database.rows(
    `update ${JOBS} set locked_by = 'pool-mine', locked_at = now() - interval '1 h', attempts = 1`,
  );
  const found = await database.rows<{ id: string }>(`select id from ${JOBS} order by id`);
  ids = found.map(({ id }) => id);
  // Its row moves to the end of the table: a statement that does not sort reaches it last.
  await database.rows(
    `update ${JOBS} set updated_at = now(), flags = '{"x": true}' where id = $1`,
    [ids[0]],
  );
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

type Run = () => Promise<unknown>;
const STATEMENTS: Readonly<Record<string, Run>> = {
  'queues jobs with their keys': () =>
    database.rows(
      `select queue_jobs(array['test/x','test/x','test/x'], '{a,b,c}', array['{}','{}','{}']::json[])`,
    ),
  'completes jobs': async () => {
    const finishing = openFinishing(database.pool, () => 'pool-mine', log);
    await Promise.all(ids.toReversed().map((id) => finishing.complete(id)));
  },
  'gives jobs back': () => requeueJobs(database.pool, 'pool-mine', ids.toReversed()),
  'frees lost jobs': async () => {
    const watch = recoverLostJobs(database.pool, 'pool-mine', () => [], log, { sweepEveryMs: 50 });
    await freed();
    await watch.stop();
  },
  'frees the jobs of a dead worker': async () => {
    const watch = recoverJobsOfDeadWorkers(database.pool, 'pool-other', log, 50);
    await freed();
    await watch.stop();
  },
  "deletes a sub-account's jobs": () =>
    deleteRows((text, values = []) => database.rows(text, values), [], SUB_ACCOUNT),
};

const freed = () =>
  vi.waitFor(
    async () =>
      expect(await database.rows(`select from ${JOBS} where locked_by is not null`)).toEqual([]),
    WAIT,
  );

test.each(Object.keys(STATEMENTS))(
  'a statement that %s locks them in the order of their ids',
  async (name) => {
    const blocker = await database.pool.connect();
    await blocker.query('begin');
    await blocker.query(`select from ${JOBS} where id = $1 for update`, [ids[0]]);
    const running = STATEMENTS[name]?.();
    await vi.waitFor(async () => {
      const waiting = await database.rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting.length).toBeGreaterThan(0);
    }, WAIT);
    const free = await database.rows<{ id: string }>(
      `select id from ${JOBS} where id <> $1 order by id for update skip locked`,
      [ids[0]],
    );
    await blocker.query('rollback');
    blocker.release();
    await running;
    expect(free.map(({ id }) => id)).toEqual(ids.slice(1));
  },
);
