import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { caller, type Answer } from '../support/service.ts';
import { newDatabase, newFolder, run, withDatabase } from './backup.support.ts';

let first: Installation;
beforeAll(async () => {
  first = await startInstallation();
});
afterAll(() => first.close());

type Call = (line: string, options?: { readonly body: object }) => Promise<Answer>;

/** A server on a database with the sub-account of the first installation. */
async function serverOn(url: string): Promise<Call> {
  const variables = { ...first.variables, DATABASE_URL: url };
  const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
  return caller(said.url, { full: first.key });
}

const created = async (call: Call, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { firstName: 'Ada', lastName: 'Lovelace' };
    ids.push((await call('POST /api/v1/contacts', { body })).body.data.id);
  }
  return ids;
};

/** Reads the feed to its end, as a consumer with this cursor does. */
async function readTo(call: Call, cursor?: string) {
  const after = cursor === undefined ? '' : `?after=${cursor}`;
  const { body } = await call(`GET /api/v1/events${after}`);
  expect(body.meta.hasMore).toBe(false);
  const events = body.data.map((one: any) => [one.event, one.data.contactId]);
  return { events, cursor: body.meta.cursor as string };
}

const eventsOf = (ids: readonly string[]) => ids.map((id) => ['contact.created', id]);

/** Without events that wait for their positions: after a restore they get others. */
const publishedBackup = async ({ call, databaseUrl }: Installation) => {
  await readTo(call);
  return backupOf(databaseUrl);
};

const backupOf = async (url: string): Promise<string> => {
  const file = join(await newFolder(), 'one.backup');
  expect(await run(['backup', file], url)).toMatchObject({ code: 0 });
  return file;
};

const restore = async (file: string, url: string, ...more: readonly string[]) =>
  expect(await run(['restore', file, ...more], url, first.variables)).toMatchObject({ code: 0 });

const replace = (file: string, url: string) => restore(file, url, '--force', '--yes');

test('a consumer that was ahead of the backup gets all later events, after each restore', async () => {
  const { databaseUrl: url, call } = first;
  await created(call, 2);
  const old = await publishedBackup(first);
  await created(call, 20);
  let { cursor } = await readTo(call);
  await replace(old, url);
  expect(await readTo(call, cursor)).toMatchObject({ events: [] });
  const restored = await publishedBackup(first);
  for (const file of [restored, old]) {
    const ids = await created(call, 3);
    const read = await readTo(call, cursor);
    expect(read.events).toEqual(eventsOf(ids));
    ({ cursor } = read);
    await replace(file, url);
  }
  const last = await created(call, 1);
  expect((await readTo(call, cursor)).events).toEqual(eventsOf(last));
});

test('the same holds in new databases, and for a backup that is restored twice', async () => {
  const file = await publishedBackup(first);
  await created(first.call, 20);
  let { cursor } = await readTo(first.call);
  for (let machine = 1; machine <= 2; machine += 1) {
    const url = await newDatabase();
    await restore(file, url);
    const call = await serverOn(url);
    const ids = await created(call, 20);
    const read = await readTo(call, cursor);
    expect(read.events).toEqual(eventsOf(ids));
    ({ cursor } = read);
  }
});

test('positions continue beyond those of the backup, whatever the clock', async () => {
  const url = await newDatabase('migrated');
  const far = 2 ** 50;
  await withDatabase(url, (client) => client.query(`select setval('event_positions', ${far})`));
  const into = await newDatabase();
  await restore(await backupOf(url), into);
  const { rows } = await withDatabase(into, (client) =>
    client.query(`select nextval('event_positions')::int8 as next`),
  );
  expect(Number(rows[0].next)).toBeGreaterThan(far + 1_000_000);
});
