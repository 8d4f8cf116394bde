import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { schedule } from '#registry/schedule.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { bindKey } from '../support/bind-key.ts';

const HOUSEKEEPING = 'operations/housekeeping';

let database: TestDatabase;
let variables: Variables;
let client: Client;
beforeEach(async () => {
  database = await createDatabase();
  variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const worker = () => startFrontdesk(['worker', '--concurrency', '2'], variables);
const queueHousekeeping = () =>
  client.query('select graphile_worker.add_job($1, max_attempts => 1)', [HOUSEKEEPING]);
/** The worker of each job, except for the jobs of every two seconds. */
const lockedBy = async (): Promise<(string | null)[]> => {
  const { rows } = await client.query(`select locked_by from graphile_worker._private_jobs
    where key is null or key not like 'campaigns/dispatch@%'`);
  return rows.map((row) => row.locked_by);
};

describe('worker', () => {
  test('deletes only expired rows', async () => {
    await client.query(
      `insert into idempotency_keys
         (sub_account_id, key_id, path, key, body_hash, status, body, expires_at)
       select gen_random_uuid(), gen_random_uuid(), '/', name, '', 201, '{}', now() + due
       from (values ('old', interval '-1 s'), ('new', interval '1 h')) as k (name, due)`,
    );
    await client.query(
      `insert into rate_windows (bucket, allowed, used, granted, asked_at, resets_at)
       select name, 1, 1, 1, now(), now() + due
       from (values ('old', interval '-1 s'), ('new', interval '1 h')) as w (name, due)`,
    );
    await queueHousekeeping();
    const running = await worker();
    expect(running.said).toEqual({ concurrency: 2 });
    await vi.waitFor(async () => expect(await lockedBy()).toEqual([]), { timeout: 60_000 });
    expect(await running.end()).toBe(0);
    const left = async (text: string) => (await client.query(text)).rows;
    expect(await left('select key from idempotency_keys')).toEqual([{ key: 'new' }]);
    expect(await left('select bucket from rate_windows')).toEqual([{ bucket: 'new' }]);
  });

  test('records one tick of each periodic job, whatever the number of workers', async () => {
    const both = await Promise.all([worker(), worker()]);
    const names = schedule.map(({ job }) => job.name).sort();
    await vi.waitFor(
      async () => {
        const { rows } = await client.query('select job from schedule_ticks order by job');
        expect(rows.map(({ job }) => job)).toEqual(names);
      },
      { timeout: 60_000 },
    );
    expect(await Promise.all(both.map((one) => one.end()))).toEqual([0, 0]);
  });

  test('jobs of a killed worker run again within a minute of the next worker', async () => {
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin; lock table rate_windows in access exclusive mode');
    const killed = await worker();
    await queueHousekeeping();
    await vi.waitFor(async () => expect(await lockedBy()).toEqual([expect.any(String)]), {
      timeout: 60_000,
    });
    expect(await killed.end('SIGKILL')).toBe('SIGKILL');
    const next = await worker();
    await blocker.query('rollback');
    await blocker.end();
    await vi.waitFor(async () => expect(await lockedBy()).toEqual([]), 60_000);
    expect(await next.end()).toBe(0);
    expect(next.stderr()).toContain('freed the jobs of dead workers');
  });
});
