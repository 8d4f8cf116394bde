import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { AGENCY } from '#lib/id.ts';
import { startFollowing } from '../support/command-line.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { caller } from '../support/service.ts';
import { newDatabase, retell, run, withDatabase } from './backup.support.ts';
import { countOf, exported, newPlace, populated, rowsOf, type Place } from './moving.support.ts';
import { POSITION_MAX } from '../../src/backup/event-positions.ts';
import { IN_THIS_DATABASE } from '../support/locks.ts';

const WAIT = { timeout: 60_000, interval: 50 };

describe('an import', () => {
  test('refuses a file that is truncated, altered or not a sub-account, and writes nothing', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    const middle = Math.floor(whole.length / 2);
    flipped[middle] = (flipped[middle] ?? 0) ^ 0x55;
    for (const [bytes, why] of [
      [whole.subarray(0, middle), 'is cut off'],
      [flipped, 'was altered'],
      [Buffer.from('select 1;'), 'is not a Frontdesk backup'],
    ] as const) {
      await writeFile(file, bytes);
      const { code, stdout, stderr } = await to.admin('sub-account', 'import', file);
      expect({ code, stdout, why: stderr.includes(why) ? why : stderr }).toEqual({
        code: 1,
        stdout: '',
        why,
      });
    }
    expect((await run(['backup', file], from.url)).code).toBe(0);
    const all = await to.admin('sub-account', 'import', file);
    expect(all.stderr).toMatch(/contains a whole installation.*frontdesk restore/);
    expect(await countOf(to, subAccountId)).toBe(0);
  });

  test('a file of one sub-account can be verified, but not restored as a backup', async () => {
    const from = await newPlace();
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    expect(await run(['backup', 'verify', file], '')).toMatchObject({
      code: 0,
      json: { subAccount: { id: subAccountId }, rows: { contacts: 2 } },
    });
    const refused = await run(['restore', file], await newDatabase());
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/contains one sub-account.*admin sub-account import/s);
  });

  test.each([
    [
      'a contact',
      (text: string, mine: string, other: string) => inTable(text, 'contacts', mine, other),
    ],
    [
      'a key',
      (text: string, mine: string, other: string) => inTable(text, 'api_keys', mine, other),
    ],
    [
      'its own row',
      (text: string, mine: string, other: string) => inTable(text, 'sub_accounts', mine, other),
    ],
    [
      'a job',
      (text: string, mine: string, other: string) =>
        inTable(text, 'jobs of the queue', mine, other),
    ],
    [
      'everything but the head',
      (text: string, mine: string, other: string) => {
        const [head = '', ...rest] = text.split('\n');
        return [head, rest.join('\n').replaceAll(mine, other)].join('\n');
      },
    ],
  ])('refuses %s of another sub-account, with a checksum that fits', async (_what, forge) => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { subAccountId: victim } = await populated(to);
    const before = await rowsOf(to, victim);
    const { file } = await exported(from, subAccountId);
    await retell(file, (text) => forge(text, subAccountId, victim));
    const { code, stdout, stderr } = await to.admin(
      'sub-account',
      'import',
      file,
      '--replace',
      '--yes',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('was altered');
    expect(await rowsOf(to, victim)).toEqual(before);
    expect(await countOf(to, subAccountId)).toBe(0);
  });

  test('refuses a sub-account with the id of the installation, and keeps its audit log', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const owner = ['user', 'invite', '--email', 'ada@example.com', '--role', 'owner'];
    expect((await to.admin(...owner)).code).toBe(0);
    const before = await rowsOf(to, AGENCY);
    const { file } = await exported(from, subAccountId);
    await retell(file, (text) => text.replaceAll(subAccountId, AGENCY));
    const { code, stdout, stderr } = await to.admin('sub-account', 'import', file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('was altered');
    expect(before['audit_entries']).toHaveLength(1);
    expect(await rowsOf(to, AGENCY)).toEqual(before);
  });

  test.each([
    ['an infinite time', `update contacts set created_at = 'infinity'`],
    ['a time beyond the year 9999', `update contacts set updated_at = '294000-01-01'`],
    ['a number that is none', `update opportunities set value = 'NaN'`],
  ])('refuses rows that lists cannot show: %s', async (_what, forge) => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    await withDatabase(from.url, (client) => client.query(forge));
    const { file } = await exported(from, subAccountId);
    const { code, stdout, stderr } = await to.admin('sub-account', 'import', file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('was altered');
    expect(await countOf(to, subAccountId)).toBe(0);
  });

  test('refuses event positions that no installation reaches, in a dry run too', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    for (const position of ['9223372036854775806', `${2n ** 50n}`]) {
      await retell(file, (text) => positioned(text, position));
      for (const more of [['--dry-run'], []]) {
        const refused = await to.admin('sub-account', 'import', file, ...more);
        expect(refused).toMatchObject({ code: 1, stdout: '' });
        expect(refused.stderr).toContain('was altered');
      }
    }
    expect(await countOf(to, subAccountId)).toBe(0);
  });

  test('with the highest positions possible leaves later exports importable', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const next = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    const [bound] = await withDatabase(
      to.url,
      async (client) => (await client.query(POSITION_MAX)).rows,
    );
    await retell(file, (text) => positioned(text, bound.max));
    expect(await to.admin('sub-account', 'import', file)).toMatchObject({ code: 0 });
    await withDatabase(to.url, (client) =>
      client.query(`select nextval('event_positions') from generate_series(1, 1000)`),
    );
    const later = await exported(to, subAccountId);
    expect(await next.admin('sub-account', 'import', later.file)).toMatchObject({ code: 0 });
  });

  test('refuses jobs that do not belong to a sub-account', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    await withDatabase(from.url, (client) =>
      client.query(
        `select graphile_worker.add_job('operations/housekeeping',
           json_build_object('subAccountId', $1::text), run_at => now() + interval '1 day')`,
        [subAccountId],
      ),
    );
    const { file } = await exported(from, subAccountId);
    const { code, stdout, stderr } = await to.admin('sub-account', 'import', file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'contains a job that does not belong to sub-accounts: operations/housekeeping',
    );
    expect(await countOf(to, subAccountId)).toBe(0);
  });

  test('refuses duplicates of installation-wide unique values: keys, form ids, jobs', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { subAccountId: victim } = await populated(to);
    const { file } = await exported(from, subAccountId);
    const taken = async (statement: string, of: Place, back: string) => {
      const values = await withDatabase(
        from.url,
        async (client) => (await client.query(statement)).rows[0],
      );
      await withDatabase(of.url, (client) => client.query(back, [victim, values.one]));
      const refused = await to.admin('sub-account', 'import', file);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      return refused.stderr;
    };
    expect(
      await taken(
        'select hash as one from api_keys order by id limit 1',
        to,
        `update api_keys set hash = $2 where id = (select min(id::text)::uuid from api_keys where sub_account_id = $1)`,
      ),
    ).toContain('api_keys (hash)');
    expect(
      await taken(
        'select id as one from forms order by id limit 1',
        to,
        `insert into forms select ($1::uuid), $2::uuid, 'other', name, captcha, message, redirect_url,
           fields, created_at, updated_at, deleted_at from forms where sub_account_id = $1 limit 1`,
      ),
    ).toContain('forms (id)');
    expect(
      await taken(
        'select key as one from graphile_worker._private_jobs limit 1',
        to,
        `select graphile_worker.add_job('tasks/remind', json_build_object('subAccountId', $1::text), job_key => $2)`,
      ),
    ).toContain('jobs (key)');
    expect(await countOf(to, subAccountId)).toBe(0);
  });

  test('that is killed changes nothing and can be repeated', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    const variables = { DATABASE_URL: to.url, FRONTDESK_SECRET_KEY: to.secretKey };
    await withDatabase(to.url, async (client) => {
      await client.query('begin; lock table workflow_log in share mode');
      const one = startFollowing(['admin', 'sub-account', 'import', file, '--json'], variables);
      await vi.waitFor(async () => {
        const { rows } = await client.query(
          `select from pg_locks where not granted and relation = 'workflow_log'::regclass
            and ${IN_THIS_DATABASE}`,
        );
        expect(rows.length).toBe(1);
      }, WAIT);
      expect(await one.end('SIGKILL')).toBe('SIGKILL');
      await client.query('commit');
    });
    expect(await countOf(to, subAccountId)).toBe(0);
    expect(await to.admin('sub-account', 'import', file)).toMatchObject({ code: 0 });
    expect(await rowsOf(to, subAccountId)).toEqual(await rowsOf(from, subAccountId));
  });

  test('reaches running servers: the keys of the file are valid at once', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId, key } = await populated(from);
    const variables = { DATABASE_URL: to.url, FRONTDESK_SECRET_KEY: to.secretKey };
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    const call = caller(said.url, { full: key });
    const status = async () => (await call('GET /api/v1/contacts')).status;
    const { file } = await exported(from, subAccountId);
    expect(await status()).toBe(401);
    await to.admin('sub-account', 'import', file);
    expect(await status()).toBe(200);
    const { json: keys } = await from.admin('key', 'list', '--sub-account', subAccountId);
    for (const { id } of keys) {
      await from.admin('key', 'revoke', id, '--yes');
    }
    const later = await exported(from, subAccountId);
    await to.admin('sub-account', 'import', later.file, '--replace', '--yes');
    await expect.poll(status, WAIT).toBe(401);
  });
});

/** Changes the position that the sequence of events has in a file. */
const positioned = (text: string, position: string): string =>
  text.replace(/("event_positions","value":)"\d+"/, `$1"${position}"`);

/** Changes the rows of one table to belong to another sub-account. */
function inTable(text: string, table: string, mine: string, other: string): string {
  const begin = text.indexOf(`{"table":"${table}"`);
  const end = text.indexOf('{"count":', begin);
  return text.slice(0, begin) + text.slice(begin, end).replace(mine, other) + text.slice(end);
}
