import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { pidNamespace } from '#platform/process/process-lock.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { newKey } from '../support/frontdesk.ts';
import { contentOf, newDatabase, newFolder, retell, run, withDatabase } from './backup.support.ts';
import { openTerminal } from '../support/terminal.ts';

let installation: Installation;
let url: string;
let key: string;
beforeAll(async () => {
  installation = await startInstallation();
  const { admin, subAccountId, subscribe, createContact, variables } = installation;
  url = installation.databaseUrl;
  key = variables['FRONTDESK_SECRET_KEY'] ?? '';
  await admin(`apply -f config/demo.yaml --sub-account ${subAccountId}`);
  await subscribe('https://127.0.0.1:1/hook');
  await createContact('Zoë "\\\t\n,');
  await createContact('Ada');
  await withDatabase(url, async (client) => {
    await client.query(`select nextval('event_positions')`);
    await client.query(
      `select graphile_worker.add_job('operations/housekeeping', payload => '{"_cron": {"a": "ü"}}',
         queue_name => 'one', run_at => now() + n * interval '1 h', job_key => 'key' || n)
       from generate_series(1, 3) as n`,
    );
  });
});
afterAll(() => installation.close());

/** No process has it: the kernel's limit is 4,194,304. */
const KILLED_PID = 2_000_000_000;

const REPORT = `insert into processes (id, kind, host, pid, seen_at, clock_ahead_ms, figures)
  values (gen_random_uuid(), 'serve', $1, $2, now(), 0, $3)`;

const takeBackup = async () => {
  const file = join(await newFolder(), 'one.backup');
  return { file, ...(await run(['backup', file], url)) };
};

const restore = (file: string, into: string, ...more: readonly string[]) =>
  run(['restore', file, ...more], into, { FRONTDESK_SECRET_KEY: key });

const tablesIn = (database: string) =>
  withDatabase(database, async (client) => {
    const { rows } = await client.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    return rows.length;
  });

/** The position that the next event gets. */
const positionOf = (database: string) =>
  withDatabase(database, async (client) => {
    const { rows } = await client.query(
      'select last_value + is_called::int as next from event_positions',
    );
    return Number(rows[0].next);
  });

const onCluster = inject('nodeUrls').length > 0;

const LIVE_CONTACTS = `select count(*)::int as count from contacts c
  join sub_accounts s on s.id = c.sub_account_id where c.deleted_at is null and s.deleted_at is null`;

describe('a backup', () => {
  test('restores all rows, continues the sequences, and is readable by its owner only', async () => {
    const before = await contentOf(url);
    expect(before['jobs']?.length).toBeGreaterThan(0);
    expect(before['pipelines']?.length).toBeGreaterThan(0);
    const { file, code, json } = await takeBackup();
    expect(code).toBe(0);
    expect(json).toMatchObject({ file, rows: { contacts: 2, sub_accounts: 1 } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const into = await newDatabase();
    expect(await restore(file, into)).toMatchObject({
      code: 0,
      json: { held: true, rows: json.rows },
    });
    expect(await contentOf(into)).toEqual(before);
    expect(await positionOf(into)).toBeGreaterThan(await positionOf(url));
  });

  // A cluster has no snapshot over all nodes.
  test.skipIf(onCluster)('contains the state of one moment, during writes', async () => {
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        await installation.createContact('Grace');
      }
    })();
    const { file, json } = await takeBackup();
    over.abort();
    await writing;
    const into = await newDatabase();
    await restore(file, into);
    const { contacts, outbox, tallies } = await contentOf(into);
    expect(contacts?.length).toBe(json.rows.contacts);
    const created = outbox?.filter((row) => row.includes('contact.created')) ?? [];
    expect(created.length).toBe(contacts?.length);
    const tallied = tallies?.filter((row) => row.includes(',contacts,')) ?? [];
    const sum = tallied.reduce((total, row) => total + Number(/(-?\d+)\)$/.exec(row)?.[1]), 0);
    expect(sum).toBe(contacts?.length);
  });

  test('replaces an older file once it is complete, and leaves no other', async () => {
    const { file } = await takeBackup();
    const { ino } = await stat(file);
    expect(await run(['backup', file], url)).toMatchObject({ code: 0 });
    expect((await stat(file)).ino).not.toBe(ino);
    expect(await readdir(dirname(file))).toEqual(['one.backup']);
    const failed = await run(['backup', join(file, 'no-folder')], url);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('cannot be written');
    expect(await readdir(dirname(file))).toEqual(['one.backup']);
  });

  test('is verified without a database, and against the key if one is set', async () => {
    const { file } = await takeBackup();
    const verify = (more = {}) => run(['backup', 'verify', file], '', more);
    expect(await verify()).toMatchObject({ code: 0, json: { file, rows: { sub_accounts: 1 } } });
    expect(await verify({ FRONTDESK_SECRET_KEY: key })).toMatchObject({ code: 0 });
    const wrong = await verify({ FRONTDESK_SECRET_KEY: newKey() });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('FRONTDESK_SECRET_KEY is not the key of');
  });
});

describe('a restore', () => {
  test('refuses a truncated, altered or foreign file, and writes nothing', async () => {
    const { file } = await takeBackup();
    const whole = await readFile(file);
    const middle = Math.floor(whole.length / 2);
    const flipped = Buffer.from(whole);
    flipped[middle] = (flipped[middle] ?? 0) ^ 0x55;
    const forged = gzipSync(
      Buffer.from(gunzipSync(whole).toString('latin1').replace('Ada', 'Eve'), 'latin1'),
    );
    const into = await newDatabase();
    for (const [bytes, why] of [
      [whole.subarray(0, middle), 'is cut off'],
      [whole.subarray(0, -1), 'is cut off'],
      [flipped, 'was altered'],
      [forged, 'was altered'],
      [gzipSync(Buffer.concat([gunzipSync(whole), Buffer.from('more\n')])), 'was altered'],
      [Buffer.from('select 1;'), 'is not a Frontdesk backup'],
      [gzipSync('{"some":"thing"}\n'), 'was altered'],
      [gzipSync(''), 'is cut off'],
    ] as const) {
      await writeFile(file, bytes);
      const { code, stdout, stderr } = await restore(file, into);
      expect({ code, stdout, why: stderr.includes(why) ? why : stderr }).toEqual({
        code: 1,
        stdout: '',
        why,
      });
    }
    expect((await restore(join(file, 'none'), into)).stderr).toContain('cannot be read');
    expect(await tablesIn(into)).toBe(0);
  });

  test('refuses another key, another schema and unknown tables', async () => {
    const { file } = await takeBackup();
    const into = await newDatabase();
    const otherKey = await run(['restore', file], into, { FRONTDESK_SECRET_KEY: newKey() });
    expect(otherKey.stderr).toContain('FRONTDESK_SECRET_KEY is not the key of');
    await retell(file, (text) => text.replace('_accounts"', '_counts"'));
    const otherSchema = await restore(file, into);
    expect(otherSchema.stderr).toContain('this release has another');
    expect([otherKey.code, otherSchema.code, await tablesIn(into)]).toEqual([1, 1, 0]);

    await retell(file, (text) =>
      text.replace('_counts"', '_accounts"').replace('{"table":"tasks"', '{"table":"migrations"'),
    );
    const otherTables = await restore(file, into);
    expect(otherTables.stderr).toContain('does not have the tables of this schema');
    expect(otherTables.code).toBe(1);
    const { sub_accounts } = await contentOf(into);
    expect(sub_accounts).toEqual([]);
  });

  test('replaces the contents of a database only with --force, and asks first', async () => {
    const { file } = await takeBackup();
    const into = await newDatabase('migrated');
    expect(await restore(file, into)).toMatchObject({ code: 0 });
    const before = await contentOf(into);
    const live = await withDatabase(into, async (client) => {
      await client.query(`update contacts set first_name = 'Eve'`);
      await client.query(
        'update contacts set deleted_at = now() where id = (select id from contacts limit 1)',
      );
      const { rows } = await client.query(LIVE_CONTACTS);
      return rows[0].count;
    });
    const refused = await restore(file, into);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const name = new URL(into).pathname.slice(1);
    expect(refused.stderr).toMatch(new RegExp(`the database \\S+/${name} is not empty .*--force`));
    const unasked = await restore(file, into, '--force');
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain(`/${name} (`);
    const reported = (pid: number) =>
      withDatabase(into, async (client) =>
        client.query(REPORT, [hostname(), pid, { pidNamespace: await pidNamespace() }]),
      );
    await reported(KILLED_PID);
    const asked = openTerminal(['restore', file, '--force'], { DATABASE_URL: into }, 400);
    await asked.shows(`/${name} (`);
    await asked.shows('not in use)');
    expect(asked.screen()).toMatch(/\d+ sub-accounts? \(.+\), \d+ contacts?, not in use\)/);
    expect(asked.screen()).toContain(`, ${live} contact`);
    asked.type('n\r');
    expect(await asked.exited).toBe(1);
    await reported(process.pid);
    const busy = openTerminal(['restore', file, '--force'], { DATABASE_URL: into }, 400);
    await busy.shows(`in use by serve ${hostname()}:${process.pid})`);
    busy.type('n\r');
    expect(await busy.exited).toBe(1);
    expect(await contentOf(into)).not.toEqual(before);
    expect(await restore(file, into, '--force', '--yes')).toMatchObject({ code: 0 });
    expect(await contentOf(into)).toEqual(before);
  });
});
