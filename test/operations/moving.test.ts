import { describe, expect, test } from 'vitest';
import { startFrontdesk } from '../support/frontdesk.ts';
import { tablesOfNobody } from '../support/populate/columns.ts';
import { caller } from '../support/service.ts';
import { newDatabase, withDatabase } from './backup.support.ts';
import { countOf, exported, newPlace, populated, rowsOf, type Place } from './moving.support.ts';

const READS = [
  'contacts',
  'conversations',
  'opportunities',
  'tasks',
  'calendars',
  'calendars/appointments',
  'webhooks',
  'events',
  'pipelines',
];

describe('a table', () => {
  test('has a sub_account_id, or is listed as belonging to the installation', async () => {
    const url = await newDatabase('migrated');
    const tables = await withDatabase(url, tablesOfNobody);
    expect(tables).toEqual([
      'holding',
      'installation',
      'migrations',
      'passkeys',
      'schedule_ticks',
      'sign_in_links',
      'user_pictures',
      'user_sessions',
      'users',
    ]);
  });
});

describe('a sub-account that moves', () => {
  test('keeps every row with its id and position, and accepts its key as before', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId, key } = await populated(from);
    const before = await rowsOf(from, subAccountId);
    const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([table]) => table)).toEqual(['outbox']);
    const { file, code, json } = await exported(from, subAccountId);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      file,
      subAccountId,
      rows: { sub_accounts: 1, 'jobs of the queue': 2 },
    });

    const imported = await to.admin('sub-account', 'import', file);
    expect(imported).toMatchObject({
      code: 0,
      json: { subAccountId, rows: json.rows, replaced: false, held: false, leftOut: [] },
    });
    expect(await rowsOf(to, subAccountId)).toEqual(before);
    const answers = await Promise.all(
      [from, to].map(async ({ url, secretKey }) => {
        const variables = { DATABASE_URL: url, FRONTDESK_SECRET_KEY: secretKey };
        const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
        const call = caller(said.url, { full: key });
        const all = [];
        for (const path of READS) {
          const { status, body } = await call(`GET /api/v1/${path}`);
          all.push({ path, status, data: body.data });
        }
        return all;
      }),
    );
    expect(answers[0]?.map(({ path, status }) => `${path} ${status}`)).toEqual(
      READS.map((path) => `${path} 200`),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test('is refused a second time, and replaced only with --replace', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    await to.admin('sub-account', 'import', file);
    const before = await rowsOf(to, subAccountId);
    const again = await to.admin('sub-account', 'import', file);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/exists already .*--replace/);

    await withDatabase(to.url, async (client) => {
      await client.query(`update contacts set first_name = 'Eve'`);
      await client.query(`delete from graphile_worker._private_jobs`);
    });
    expect(await to.admin('sub-account', 'import', file, '--replace')).toMatchObject({ code: 2 });
    const rehearsed = await to.admin('sub-account', 'import', file, '--replace', '--dry-run');
    expect(rehearsed).toMatchObject({ code: 0, json: { replaced: true, dryRun: true } });
    expect(await rowsOf(to, subAccountId)).not.toEqual(before);
    const replaced = await to.admin('sub-account', 'import', file, '--replace', '--yes');
    expect(replaced).toMatchObject({ code: 0, json: { replaced: true } });
    expect(await rowsOf(to, subAccountId)).toEqual(before);
  });

  test('does not change other sub-accounts', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { subAccountId: neighbour } = await populated(to);
    const before = await rowsOf(to, neighbour);
    const { file } = await exported(from, subAccountId);
    const { json } = await to.admin('sub-account', 'import', file);
    expect(json.warnings).toEqual([
      expect.stringContaining(
        'slug-0 is also the slug of an active workflow of another sub-account',
      ),
    ]);
    expect(await rowsOf(to, neighbour)).toEqual(before);
    await to.admin('sub-account', 'import', file, '--replace', '--yes');
    await to.admin('sub-account', 'delete', subAccountId, '--yes');
    expect(await to.admin('sub-account', 'purge', subAccountId, '--yes')).toMatchObject({
      code: 0,
    });
    expect(await countOf(to, subAccountId)).toBe(0);
    expect(await rowsOf(to, neighbour)).toEqual(before);
  });

  test('is purged only once it is closed, with an audit entry of the agency', async () => {
    const place = await newPlace();
    const { subAccountId } = await populated(place);
    const purge = () => place.admin('sub-account', 'purge', subAccountId, '--yes');
    const refused = await purge();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('is open: close it');
    await place.admin('sub-account', 'delete', subAccountId, '--yes');
    expect(await purge()).toMatchObject({ code: 0, json: { id: subAccountId, purged: true } });
    expect(await countOf(place, subAccountId)).toBe(0);
    const { json: audit } = await place.admin('audit', 'list');
    expect(audit).toMatchObject([{ operation: 'admin sub-account purge', recordId: subAccountId }]);
  });

  test('arrives closed if it was closed, and open with --reopen', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    await from.admin('sub-account', 'delete', subAccountId, '--yes');
    const { file } = await exported(from, subAccountId);
    const closed = await to.admin('sub-account', 'import', file);
    expect(closed).toMatchObject({ code: 0, json: { closed: true } });
    const there = await to.admin('sub-account', 'import', file);
    expect(there.stderr).toMatch(/exists already \(.*, closed\)/s);
    const open = await to.admin('sub-account', 'import', file, '--replace', '--reopen', '--yes');
    expect(open).toMatchObject({ code: 0, json: { closed: false } });
    const { json } = await to.admin('sub-account', 'show', subAccountId);
    expect(json).toMatchObject({ id: subAccountId, deletedAt: null });
  });

  test('is audited in both installations', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { file } = await exported(from, subAccountId);
    await to.admin('sub-account', 'import', file);
    for (const [place, operation] of [
      [from, 'admin sub-account export'],
      [to, 'admin sub-account import'],
    ] as const) {
      const { json } = await place.admin('audit', 'list', '--sub-account', subAccountId);
      expect(json[0]).toMatchObject({ operation, recordId: subAccountId });
    }
  });

  test('keeps the positions of its events, and new events come after every cursor', async () => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId } = await populated(from);
    const { subAccountId: neighbour } = await populated(to);
    await withDatabase(from.url, (client) => client.query(RAISED));
    const { file } = await exported(from, subAccountId);
    const nextIn = (place: Place) =>
      withDatabase(place.url, async (client) => {
        const { rows } = await client.query(`select nextval('event_positions')::bigint as next`);
        return Number(rows[0].next);
      });
    await to.admin('sub-account', 'import', file, '--dry-run');
    expect(await nextIn(to)).toBeLessThan(100);
    await to.admin('sub-account', 'import', file);
    const positions = 'select position from events where sub_account_id = $1 order by position';
    const positionsIn = (place: Place) =>
      withDatabase(
        place.url,
        async (client) => (await client.query(positions, [subAccountId])).rows,
      );
    expect(await positionsIn(to)).toEqual(await positionsIn(from));
    const imported = await nextIn(to);
    expect(imported).toBeGreaterThan(1e14);
    expect(imported).toBeLessThan(2 ** 53);
    const back = await exported(to, neighbour);
    await from.admin('sub-account', 'import', back.file);
    expect(await nextIn(from)).toBeGreaterThan(imported);
  });

  test.for([
    ['before the export', false],
    ['after it', true],
  ] as const)('lets a reader of its events continue that read last %s', async ([, isAfter]) => {
    const from = await newPlace();
    const to = await newPlace(from.secretKey);
    const { subAccountId, key } = await populated(from);
    await withDatabase(from.url, (client) => client.query(RAISED));
    const callerOf = async ({ url, secretKey }: Place) => {
      const variables = { DATABASE_URL: url, FRONTDESK_SECRET_KEY: secretKey };
      const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
      return caller(said.url, { full: key });
    };
    const publish = (place: Place) =>
      withDatabase(place.url, (client) => client.query('select publish_events(100)'));
    const body = { firstName: 'Ada', lastName: 'Lovelace' };
    const there = await callerOf(from);
    const { file } = await exported(from, subAccountId);
    if (isAfter) {
      await there('POST /api/v1/contacts', { body });
      await publish(from);
    }
    const read = await there('GET /api/v1/events?limit=100');
    expect(read.body.data.length).toBeGreaterThan(0);
    await to.admin('sub-account', 'import', file);
    const here = await callerOf(to);
    const made = await here('POST /api/v1/contacts', { body });
    expect(made).toMatchObject({ status: 201 });
    await publish(to);
    const next = await here(`GET /api/v1/events?after=${read.body.meta.cursor}`);
    expect(next.body.data).toMatchObject([{ data: { contactId: made.body.data.id } }]);
  });
});

/** Gives the events higher positions than another installation has. */
const RAISED = `update events set position = position + 5000;
  select setval('event_positions', 5010)`;
