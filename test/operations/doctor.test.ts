import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { channelPlace } from '../../src/conversations/channels/channel.store.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { startMailServer } from '../support/mail-server.ts';
import { newDatabase, run, withDatabase } from './backup.support.ts';

const NAMES = [
  'disk',
  'runtime',
  'variables',
  'certificate',
  'public address',
  'mail to admins',
  'backups',
  'database',
  'migrations',
  'secret key',
  'extensions',
  'nodes',
  'clock',
  'servers',
  'workers',
  'queue',
  'files',
  'webhooks',
  'providers',
  'messages',
  'mailboxes',
  'external calendars',
  'calendars',
  'recurring campaigns',
  'workflows',
];

let installation: Installation;
/** Not the folder of the other tests, which leave files there without a record in this database. */
let filesFolder: string;
beforeAll(async () => {
  installation = await startInstallation();
  filesFolder = await mkdtemp(join(tmpdir(), 'frontdesk-doctor-'));
});
afterAll(async () => {
  await installation.close();
  await rm(filesFolder, { recursive: true });
});

const doctor = async (more = {}, url = installation.databaseUrl) => {
  const { code, json } = await run(['doctor'], url, {
    ...installation.variables,
    FRONTDESK_FILES_DIR: filesFolder,
    ...more,
    DATABASE_URL: url,
  });
  const checks: { name: string; status: string; message: string; fix?: string }[] = json.checks;
  return {
    code,
    ok: json.ok,
    checks,
    of: (name: string) => checks.find((one) => one.name === name),
  };
};
const sql = (text: string, values: readonly unknown[] = []) =>
  withDatabase(installation.databaseUrl, (client) => client.query(text, [...values]));
/** Undone after the test. */
const until = async (change: string, undo: string) => {
  await sql(change);
  onTestFinished(async () => void (await sql(undo)));
};

describe('doctor', () => {
  test('finds no failure in a working installation, with one line per check', async () => {
    const found = await doctor();
    expect(found).toMatchObject({ code: 0, ok: true });
    expect(found.checks.map(({ name }) => name)).toEqual(NAMES);
    const { stdout } = await frontdesk(['doctor'], installation.variables);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBe(NAMES.length);
    expect(lines.every((line) => /^[✓⚠✗] [a-z ]+: ./u.test(line))).toBe(true);
  });

  test('every warning and failure has a fix', async () => {
    const settings = { FRONTDESK_SECRET_KEY: '', FRONTDESK_BACKUP_DIR: '/nowhere/backups' };
    const { checks } = await doctor(settings);
    // The free disk space depends on the machine.
    const complaints = checks.filter(({ name, status }) => status !== 'ok' && name !== 'disk');
    expect(complaints.map(({ name }) => name)).toEqual([
      'public address',
      'mail to admins',
      'backups',
      'secret key',
      'workers',
    ]);
    expect(complaints.every(({ fix }) => fix !== undefined)).toBe(true);
  });

  test('an unavailable database fails; everything that needs none is checked, the rest is named', async () => {
    const away = 'postgres://user@127.0.0.1:1/nowhere';
    const { code, ok, of, checks } = await doctor({}, away);
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    expect(of('database')).toMatchObject({ status: 'fail' });
    expect(checks.map(({ name }) => name)).toEqual([...NAMES.slice(0, 8), 'files', 'not checked']);
    expect(of('disk')?.message).toMatch(/ (?:MB|GB) free at /);
    expect(of('not checked')?.message).toContain('migrations, secret key, extensions, nodes,');
  });

  test('an empty database lacks migrations and extensions', async () => {
    const { code, of } = await doctor({}, await newDatabase('empty'));
    expect(code).toBe(1);
    expect(of('migrations')).toMatchObject({ status: 'fail', fix: 'run frontdesk migrate' });
    expect(of('extensions')).toMatchObject({ status: 'fail' });
  });

  test('another secret key fails', async () => {
    const { code, of } = await doctor({
      FRONTDESK_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    });
    expect([code, of('secret key')?.status]).toEqual([1, 'fail']);
    expect(of('workflows')?.status).toBe('ok');
  });

  test('a mail server that is unreachable or refuses the login fails', async () => {
    const server = await startMailServer();
    const FRONTDESK_MAIL_FROM = 'desk@example.com';
    const there = await doctor({ FRONTDESK_SMTP_URL: server.url, FRONTDESK_MAIL_FROM });
    expect(there.of('mail to admins')).toMatchObject({ status: 'ok' });
    await server.close();
    const gone = await doctor({ FRONTDESK_SMTP_URL: server.url, FRONTDESK_MAIL_FROM });
    expect(gone.code).toBe(1);
    expect(gone.of('mail to admins')).toMatchObject({ status: 'fail' });
  });

  test('an unreachable provider fails, and so does one in a private network that is not allowed', async () => {
    await until(
      `insert into channels (sub_account_id, id, channel, provider, settings, created_at, updated_at)
       select id, gen_random_uuid(), 'email', 'smtp',
         '{"host": "127.0.0.1", "port": 1, "secure": false}', now(), now() from sub_accounts`,
      'delete from channels',
    );
    const gone = await doctor();
    expect(gone.code).toBe(1);
    expect(gone.of('providers')?.message).toContain('smtp at 127.0.0.1 (');
    const refused = await doctor({ FRONTDESK_OUTBOUND_ALLOW: '' });
    expect(refused.of('providers')?.message).toContain('127.0.0.1');
    expect(refused.of('providers')?.message).not.toBe(gone.of('providers')?.message);
  });

  test('a mail server that refuses the login of a channel fails; without the secret key, logins are not checked', async () => {
    let accepted = 'right';
    const server = await startMailServer({
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(password === accepted ? null : new Error('wrong password'), { user: username }),
    });
    onTestFinished(server.close);
    const key = Buffer.from(installation.variables['FRONTDESK_SECRET_KEY'] ?? '', 'base64');
    const id = crypto.randomUUID();
    const settings = { host: '127.0.0.1', port: Number(new URL(server.url).port), user: 'office' };
    await sql(
      `insert into channels (sub_account_id, id, channel, provider, settings, secrets, created_at,
         updated_at)
       select id, $1, 'email', 'smtp', $2, $3, now(), now() from sub_accounts`,
      [id, settings, secretsOf(key).seal(JSON.stringify({ password: 'right' }), channelPlace(id))],
    );
    onTestFinished(async () => void (await sql('delete from channels')));
    expect((await doctor()).of('providers')?.message).toBe('1 server reachable');
    const FRONTDESK_SECRET_KEY = Buffer.alloc(32).toString('base64');
    expect((await doctor({ FRONTDESK_SECRET_KEY })).of('providers')).toMatchObject({
      status: 'warn',
      message: '1 server reachable; 1 login not checked: passwords are encrypted',
      fix: expect.stringContaining('FRONTDESK_SECRET_KEY'),
    });
    accepted = 'another one';
    const refused = (await doctor()).of('providers');
    expect(refused?.status).toBe('fail');
    expect(refused?.message).toMatch(/^smtp at 127\.0\.0\.1 \(Harbour\): .*wrong password/);
  });

  test('unprocessed jobs are a warning at first and a failure later', async () => {
    const due = (ago: string) =>
      until(
        `select graphile_worker.add_job('test/late', run_at => now() - interval '${ago}')`,
        'delete from graphile_worker._private_jobs',
      );
    await due('5 min');
    const late = await doctor();
    expect([late.code, late.of('queue')?.status]).toEqual([0, 'warn']);
    await due('20 min');
    const later = await doctor();
    expect([later.code, later.of('queue')?.status]).toEqual([1, 'fail']);
    await until(
      `update holding set held_since = now(), reason = 'restored'`,
      'update holding set held_since = null, reason = null',
    );
    expect((await doctor()).of('queue')?.status).toBe('warn');
  });

  test('warns about paused workers, with the command that resumes them', async () => {
    await until(
      `update holding set held_since = now(), reason = 'restored'`,
      'update holding set held_since = null, reason = null',
    );
    expect((await doctor()).of('workers')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('restored'),
      fix: expect.stringContaining('frontdesk admin release'),
    });
  });

  test('warns about a lane that fetches no jobs, with its process', async () => {
    await withDatabase(installation.databaseUrl, async (client) => {
      // The lock of a running worker.
      await client.query(`select pg_advisory_lock(5771002, 1)`);
      const insert = `insert into processes (id, kind, host, pid, seen_at, clock_ahead_ms, figures)
        values (gen_random_uuid(), 'worker', 'pump', 4711, now(), 0, $1)`;
      const taking = { isTaking: true, running: 0, restarts: 0 };
      await client.query(insert, [
        { lanes: { default: taking, peers: { isTaking: false, running: 3, restarts: 1 } } },
      ]);
      try {
        expect((await doctor()).of('workers')).toEqual({
          name: 'workers',
          status: 'warn',
          message: 'stalled lanes, which fetch no jobs: peers of pump:4711',
          fix: expect.stringContaining('restart frontdesk worker'),
        });
        await client.query(`update processes set figures = $1 where host = 'pump'`, [
          { lanes: { default: taking, peers: taking } },
        ]);
        expect((await doctor()).of('workers')).toMatchObject({ status: 'ok' });
      } finally {
        await client.query(`delete from processes where host = 'pump'`);
      }
    });
  });

  test('warns about a receiver that never accepted anything, and about deliveries that wait for the breaker', async () => {
    await until(
      `insert into webhook_subscriptions (sub_account_id, id, url, events, status, secret, position,
         consecutive_failures, failing_since, created_at, updated_at)
       select id, gen_random_uuid(), 'https://receiver.test/hook', '{contact.created}', 'active', '', 0,
         3, now(), now(), now() from sub_accounts`,
      'delete from webhook_subscriptions',
    );
    expect((await doctor()).of('webhooks')).toMatchObject({
      status: 'warn',
      message: '1 of 1 receiver fails: receiver.test has 3 failures in a row',
    });
    await sql(
      `update webhook_subscriptions set consecutive_failures = 146, last_success_at = now(),
         paused_until = now() + interval '1 h'`,
    );
    expect((await doctor()).of('webhooks')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('so deliveries wait and are tried one at a time'),
    });
  });

  test('overlapping appointments fail', async () => {
    const url = await newDatabase('empty');
    const variables = {
      FRONTDESK_SECRET_KEY: installation.variables['FRONTDESK_SECRET_KEY'] ?? '',
    };
    await run(['migrate'], url, variables);
    await withDatabase(url, async (client) => {
      await client.query(
        'alter table appointment_blocks drop constraint appointment_blocks_overlap',
      );
      await client.query(
        `alter table appointment_blocks
         drop constraint appointment_blocks_sub_account_id_appointment_id_fkey`,
      );
      const insert = `insert into appointment_blocks
        (sub_account_id, appointment_id, member_id, block, slot_id)
        select $1, id, $1, tstzrange(now() + n * interval '20 min', now() + (n + 1.5) * interval '20 min'), id
        from (select n, gen_random_uuid() as id from generate_series(1, $2) as n) as b`;
      await client.query(insert, [newId(new Date()), 1]);
    });
    expect((await doctor(variables, url)).of('calendars')).toMatchObject({ status: 'ok' });
    await withDatabase(url, async (client) => {
      await client.query(
        `insert into appointment_blocks (sub_account_id, appointment_id, member_id, block, slot_id)
         select sub_account_id, gen_random_uuid(), member_id, block, gen_random_uuid()
         from appointment_blocks`,
      );
    });
    const { code, of } = await doctor(variables, url);
    expect(code).toBe(1);
    expect(of('calendars')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('1 pair of appointments overlap'),
    });
  });
});
