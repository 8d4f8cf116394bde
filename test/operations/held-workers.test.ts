import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startFollowing } from '../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { newKey, startFrontdesk, type Variables } from '../support/frontdesk.ts';
import { newDatabase, newFolder, run, withDatabase } from './backup.support.ts';
import { bindKey } from '../support/bind-key.ts';

const HOUSEKEEPING = 'operations/housekeeping';
const WAIT = { timeout: 60_000, interval: 50 };
const HELD = 'jobs are paused until frontdesk admin release';

let database: TestDatabase;
let key: string;
let client: Client;
beforeEach(async () => {
  database = await createDatabase();
  key = newKey();
  await bindKey({ DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: key });
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const variables = (url = database.url): Variables => ({
  DATABASE_URL: url,
  FRONTDESK_SECRET_KEY: key,
  FRONTDESK_POLL_INTERVAL: '100ms',
});
const admin = (line: string, url = database.url) =>
  run(['admin', ...line.split(' ')], url, { FRONTDESK_SECRET_KEY: key });
const queueJob = (on: Client) =>
  on.query('select graphile_worker.add_job($1, max_attempts => 1)', [HOUSEKEEPING]);
const startWorker = (url = database.url, ...more: readonly string[]) =>
  startFollowing(['worker', '--json', ...more], variables(url));

/** The number of queued jobs of this test, without those of the schedule, and of unpublished events. */
const leftIn = async (on: Client) => {
  const { rows } = await on.query(
    `select (select count(*)::int from graphile_worker.jobs
         where task_identifier = $1 and key is null) as jobs,
       (select count(*)::int from outbox) as events`,
    [HOUSEKEEPING],
  );
  return rows[0];
};
const isAllDone = (on: Client) =>
  vi.waitFor(async () => expect(await leftIn(on)).toEqual({ jobs: 0, events: 0 }), WAIT);

const announce = (on: Client) =>
  on.query(
    `insert into outbox (sub_account_id, id, name, data, occurred_at)
     values (gen_random_uuid(), gen_random_uuid(), 'contact.created', '{}', now())`,
  );

describe('paused workers', () => {
  test('run no due work after a restore until the release, which is audited', async () => {
    await queueJob(client);
    await announce(client);
    const file = join(await newFolder(), 'one.backup');
    await run(['backup', file], database.url);
    const url = await newDatabase();
    expect(await run(['restore', file], url)).toMatchObject({ code: 0, json: { held: true } });
    const worker = startWorker(url);
    await worker.complaint(HELD);
    await withDatabase(url, async (other) => {
      expect(await leftIn(other)).toEqual({ jobs: 1, events: 1 });
      expect(await admin('queue status', url)).toMatchObject({
        json: { heldSince: expect.any(String), reason: expect.stringContaining('restored') },
      });
      expect(await admin('release', url)).toMatchObject({
        code: 0,
        json: { released: true, reason: expect.stringContaining('restored from a backup of') },
      });
      await isAllDone(other);
    });
    const { json: audit } = await admin('audit list', url);
    expect(audit).toMatchObject([
      { operation: 'admin release', recordId: 'workers' },
      { operation: 'restore', recordId: 'backup' },
    ]);
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  test('started with --hold wait for a release; the others continue', async () => {
    const held = startWorker(database.url, '--hold');
    await held.complaint(HELD);
    await queueJob(client);
    const free = startWorker();
    await isAllDone(client);
    expect(await free.end('SIGTERM')).toBe(0);
    await queueJob(client);
    expect(await leftIn(client)).toEqual({ jobs: 1, events: 0 });
    expect(await admin('release')).toMatchObject({ json: { released: true, heldSince: null } });
    await isAllDone(client);
    expect(await held.end('SIGTERM')).toBe(0);
  });

  test('stop before a restore writes anything', async () => {
    const file = join(await newFolder(), 'one.backup');
    await queueJob(client);
    await run(['backup', file], database.url);
    const worker = startWorker();
    await isAllDone(client);
    const args = ['restore', file, '--force', '--yes'];
    expect(await run(args, database.url)).toMatchObject({ code: 0 });
    await worker.complaint(HELD);
    expect(await leftIn(client)).toEqual({ jobs: 1, events: 0 });
    await admin('release');
    await isAllDone(client);
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  test('are paused for the last restore, not for one before it', async () => {
    const folder = await newFolder();
    const [first, second] = [join(folder, 'first.backup'), join(folder, 'second.backup')];
    const { json: one } = await run(['backup', first], database.url);
    const { json: other } = await run(['backup', second], database.url);
    expect(one.takenAt).not.toBe(other.takenAt);
    const url = await newDatabase();
    expect(await run(['restore', first], url)).toMatchObject({ code: 0 });
    expect(await run(['restore', second, '--force', '--yes'], url)).toMatchObject({ code: 0 });
    const { json } = await admin('release', url);
    expect(json.reason).toBe(`restored from a backup of ${other.takenAt}`);
  });

  test('resume after a killed restore, which changed nothing and can be repeated', async () => {
    const file = join(await newFolder(), 'one.backup');
    await run(['backup', file], database.url);
    await admin('sub-account create --name Harbour');
    await client.query('begin');
    await client.query('lock table contacts in access share mode');
    const restore = startFollowing(['restore', file, '--force', '--yes', '--json'], variables());
    await vi.waitFor(async () => {
      // On a cluster, it waits for the lock of a node. A transaction sees what the first look saw.
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and state = 'active'
           and query like 'lock table %' and wait_event_type in ('Lock', 'Extension')`,
      );
      expect(rows.length).toBe(1);
    }, WAIT);
    expect(await restore.end('SIGKILL')).toBe('SIGKILL');
    await client.query('commit');
    const rowsOf = async (table: string) => (await client.query(`select from ${table}`)).rowCount;
    expect(await rowsOf('sub_accounts')).toBe(1);
    const worker = startWorker();
    await worker.complaint(HELD);
    const again = await run(['restore', file, '--force', '--yes'], database.url);
    expect(again).toMatchObject({ code: 0 });
    expect(await rowsOf('sub_accounts')).toBe(0);
  });

  test('continue after a failed restore', async () => {
    const file = join(await newFolder(), 'one.backup');
    await run(['backup', file], database.url);
    await client.query('create table of_somebody_else (id integer primary key)');
    const { code, stderr } = await run(['restore', file], database.url);
    expect(code).toBe(1);
    expect(stderr).toContain('does not have the tables of this schema');
    const { rows } = await client.query('select held_since from holding');
    expect(rows).toEqual([{ held_since: null }]);
    const { end } = await startFrontdesk(['worker'], variables());
    expect(await end()).toBe(0);
  });
});
