import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sealed } from '#registry/sealed.ts';
import { startFollowing } from '../support/command-line.ts';
import { frontdesk, newKey, startFrontdesk } from '../support/frontdesk.ts';
import { caller } from '../support/service.ts';
import { newDatabase, newFolder, run, withDatabase } from './backup.support.ts';
import { countOf, exported, newPlace, populated, rowsOf, type Place } from './moving.support.ts';

/** Bytes that can be read without a key. */
const UNSEALED = [
  'chat_sessions.secret_hash',
  'contact_import_parts.content',
  'erased_opt_outs.address_hash',
  'installation.key_check',
  'passkeys.public_key',
  'sub_accounts.erasure_key',
  'user_pictures.content',
];

describe('encrypted values', () => {
  test('are stored in declared columns, so that none is moved to where it cannot be decrypted', async () => {
    const url = await newDatabase('migrated');
    const { rows } = await withDatabase(url, (client) =>
      client.query<{ name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns
         where table_schema = 'public' and data_type = 'bytea' order by 1`,
      ),
    );
    const known = new Set(sealed.flatMap(({ columns }) => columns));
    const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));
    expect(unknown).toEqual(UNSEALED);
  });

  test('move only to an installation with the same key, or are left out and listed', async () => {
    const from = await newPlace();
    const to = await newPlace();
    const { subAccountId, key } = await populated(from);
    // An agent's subscription gets its secret from the agent.
    await withDatabase(from.url, (client) =>
      client.query(
        'update webhook_subscriptions set key_id = null, handle = null, expires_at = null',
      ),
    );
    const { file } = await exported(from, subAccountId);
    const refused = await to.admin('sub-account', 'import', file);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/another FRONTDESK_SECRET_KEY.*--without-secrets/s);
    expect(await countOf(to, subAccountId)).toBe(0);

    const { code, json } = await to.admin('sub-account', 'import', file, '--without-secrets');
    expect(code).toBe(0);
    expect(json.leftOut).toEqual([
      expect.stringMatching(/^the password of the external calendar of key-0$/),
      'the channel email (smtp)',
      'the secret of the invoices hook',
      expect.stringMatching(/^the signing secret of webhook \S+ \(.*\), now disabled$/),
      'the signing secret of workflow slug-0',
      'headers of the http steps of workflow slug-0, now inactive',
    ]);
    const was = await sealedBytes(from, subAccountId);
    expect(was.length).toBeGreaterThan(5);
    const rows = JSON.stringify(await rowsOf(to, subAccountId));
    expect(was.filter((hex) => rows.includes(hex))).toEqual([]);
    const variables = { DATABASE_URL: to.url, FRONTDESK_SECRET_KEY: to.secretKey };
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    const { status, body } = await caller(said.url, { full: key })('GET /api/v1/webhooks');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { status: 'disabled', disabledReason: 'moved without its signing secret' },
    ]);
    const [{ id }] = body.data;
    expect((await to.admin('secret', 'regenerate', 'webhook', id)).code).toBe(0);
    expect((await to.admin('webhook', 'enable', id)).code).toBe(0);
  });

  test('a sub-account leaves a database whose key is lost', async () => {
    const from = await newPlace();
    const to = await newPlace();
    const { subAccountId } = await populated(from);
    const variables = { FRONTDESK_SECRET_KEY: newKey() };
    const lost: Place = {
      ...from,
      admin: (...args) => run(['admin', ...args], from.url, variables),
    };
    expect((await lost.admin('sub-account', 'list')).code).toBe(0);
    expect((await lost.admin('contact', 'list', '--sub-account', subAccountId)).stderr).toMatch(
      /is not the key of this database: it came from the environment; set the key/,
    );
    const { file, json } = await exported(lost, subAccountId);
    expect(json.keyMatches).toBe(false);
    const { code } = await to.admin('sub-account', 'import', file, '--without-secrets');
    expect(code).toBe(0);
    expect(await countOf(to, subAccountId)).toBeGreaterThan(0);
  });

  test('a backup says if the given key does not decrypt it', async () => {
    const { url, secretKey } = await newPlace();
    const backUp = async (key: string) => {
      const file = join(await newFolder(), 'all.backup');
      const variables = { DATABASE_URL: url, FRONTDESK_SECRET_KEY: key };
      return (await frontdesk(['backup', file], variables)).stdout;
    };
    expect(await backUp(secretKey)).toMatch(/keep a copy of the key elsewhere/);
    expect(await backUp(newKey())).toMatch(/is not the key of this database: do not keep it/);
  });
});

/** Each value as rows print it. */
const sealedBytes = ({ url }: Place, subAccountId: string) =>
  withDatabase(url, async (client) => {
    const found: string[] = [];
    for (const name of sealed.flatMap(({ columns }) => columns)) {
      const [table, column] = name.split('.');
      const { rows } = await client.query(
        column === 'steps'
          ? `select substring(steps::text from 'sealedHeaders": *"([^"]+)"') as one
             from ${table} where sub_account_id = $1`
          : `select encode(${column}, 'hex') as one from ${table}
             where sub_account_id = $1 and ${column} is not null`,
        [subAccountId],
      );
      found.push(...rows.map(({ one }) => one));
    }
    return found;
  });

describe('overdue work', () => {
  const overdue = async (place: Place) => {
    const { subAccountId } = await populated(place);
    await withDatabase(place.url, (client) =>
      client.query(`
        update graphile_worker._private_jobs set run_at = now() - interval '1 hour'
          where id = (select min(id) from graphile_worker._private_jobs);
        update campaigns set scheduled_at = now() - interval '1 minute';
        insert into outbox (sub_account_id, id, name, data, occurred_at)
          select id, gen_random_uuid(), 'contact.created', '{}', now() from sub_accounts`),
    );
    return subAccountId;
  };
  const DUE = { jobs: 1, events: 1, campaigns: 2, workflowRuns: 0 };

  test('is listed, and does not run without an option', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const subAccountId = await overdue(from);
    const { file } = await exported(from, subAccountId);
    const refused = await to.admin('sub-account', 'import', file);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /1 job, 1 unpublished event, 2 campaigns came due.*--hold.*--send-overdue/s,
    );
    const rehearsed = await to.admin('sub-account', 'import', file, '--dry-run');
    expect(rehearsed).toMatchObject({ code: 0, json: { overdue: DUE, held: false, dryRun: true } });
    const both = await to.admin('sub-account', 'import', file, '--hold', '--send-overdue');
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(await countOf(to, subAccountId)).toBe(0);
    const { rows } = await withDatabase(to.url, (client) =>
      client.query('select held_since from holding'),
    );
    expect(rows).toEqual([{ held_since: null }]);
  });

  test('waits with --hold until release, also with a running worker', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const subAccountId = await overdue(from);
    const { file } = await exported(from, subAccountId);
    const worker = startFollowing(['worker', '--json'], {
      DATABASE_URL: to.url,
      FRONTDESK_SECRET_KEY: to.secretKey,
      FRONTDESK_POLL_INTERVAL: '100ms',
    });
    await worker.next(1);
    expect(await to.admin('sub-account', 'import', file, '--hold')).toMatchObject({
      code: 0,
      json: { held: true, overdue: DUE },
    });
    await worker.complaint('jobs are paused until frontdesk admin release');
    expect(await rowsOf(to, subAccountId)).toEqual(await rowsOf(from, subAccountId));
    await to.admin('release');
    const waiting = async () => (await rowsOf(to, subAccountId))['outbox']?.length;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
    expect(await worker.end('SIGTERM')).toBe(0);
  });

  test('after a failed import the workers continue', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const subAccountId = await overdue(from);
    const { file } = await exported(from, subAccountId);
    await to.admin('sub-account', 'import', file, '--send-overdue');
    const again = await to.admin('sub-account', 'import', file, '--hold');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    const { rows } = await withDatabase(to.url, (client) =>
      client.query('select held_since from holding'),
    );
    expect(rows).toEqual([{ held_since: null }]);
  });
});
