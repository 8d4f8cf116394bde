import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { notifiedCache } from '#platform/database/notified-cache.ts';
import { noChanges, openChanges, type Changes } from '#platform/notify/changes.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const SOON = { timeout: 60_000 };
/** A probe that has gone out is waited for two seconds. */
const LONGER_THAN_A_PROBE_MS = 2_500;

let test_: TestDatabase;
let database: Database;
let changes: Changes | undefined;
const warnings: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });

beforeAll(async () => {
  test_ = await createDatabase('empty');
  database = openDatabase({ url: test_.url, connections: 2, name: 'changes test', log });
});
afterEach(async () => {
  await changes?.close();
  changes = undefined;
  warnings.length = 0;
});
afterAll(async () => {
  await database.close();
  await test_.drop();
});

const notify = (table: string) =>
  database.rows('select pg_notify($1, $2)', ['frontdesk_changes', table]);

async function listening(url = test_.url): Promise<Changes> {
  changes = openChanges(url, database, log);
  await vi.waitFor(() => expect(changes?.isListening).toBe(true), SOON);
  return changes;
}

/** Ends the connection that listens, as a failover would. */
const cut = () =>
  database.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'frontdesk listen' and datname = current_database()`,
  );

describe('a process that listens', () => {
  test('is notified of the tables it listens to and of no others', async () => {
    const heard: string[] = [];
    const { watch } = await listening();
    watch('api_keys', () => heard.push('first'));
    watch('api_keys', () => heard.push('second'));
    watch('contacts', () => heard.push('contacts'));
    await notify('sub_accounts');
    await notify('api_keys');
    await vi.waitFor(() => expect(heard).toEqual(['first', 'second']), SOON);
  });

  test('clears its caches when its connection is lost, and reconnects', async () => {
    const opened = await listening();
    let forgotten = 0;
    opened.watch('api_keys', () => (forgotten += 1));
    await cut();
    await vi.waitFor(() => expect(opened.isListening).toBe(false), { ...SOON, interval: 1 });
    const before = forgotten;
    expect(before).toBeGreaterThan(0);
    expect(warnings).toHaveLength(1);

    await vi.waitFor(() => expect(opened.isListening).toBe(true), SOON);
    // Changes meanwhile were not received: the cache is emptied again before it is used.
    expect(forgotten).toBeGreaterThan(before);
  });

  test('stops without a warning and leaves no connection', async () => {
    const opened = await listening();
    await opened.close();
    expect(opened.isListening).toBe(false);
    expect(warnings).toEqual([]);
    const left = await database.rows(
      `select 1 from pg_stat_activity where application_name = 'frontdesk listen'
       and datname = current_database()`,
    );
    expect(left).toEqual([]);
  });

  test('stops even while it cannot connect', async () => {
    const away = openChanges('postgres://user@127.0.0.1:1/none', database, log);
    await away.close();
    expect(away.isListening).toBe(false);
  });

  test('caches nothing if notices do not arrive, as behind a pooler', async () => {
    const other = await createDatabase('empty');
    const client = new Client({ connectionString: test_.url });
    await client.connect();
    await client.query('listen frontdesk_changes');
    const probe = once(client, 'notification');
    const deaf = openChanges(other.url, database, log);
    await probe;
    expect(deaf.isListening).toBe(false);
    await deaf.close();
    await client.end();
    await other.drop();
  });

  test('keeps its caches while the pool is busy', async () => {
    const opened = await listening();
    const taken = [await database.pool.connect(), await database.pool.connect()];
    await vi.waitFor(() => expect(database.pool.waitingCount).toBe(1), SOON);
    await sleep(LONGER_THAN_A_PROBE_MS);
    expect(database.pool.waitingCount).toBe(1);
    expect(opened.isListening).toBe(true);
    expect(warnings).toEqual([]);
    taken.forEach((client) => client.release());
  });
});

describe('a cached value', () => {
  const load = () => {
    let loads = 0;
    return { find: async (key: string) => ({ key, load: (loads += 1) }), count: () => loads };
  };

  test('is loaded once until its table changes', async () => {
    const { find, count } = load();
    const read = notifiedCache(await listening(), ['things'], find);
    await read('a');
    await read('a');
    expect(count()).toBe(1);
    await notify('things');
    await vi.waitFor(async () => expect(await read('a')).toEqual({ key: 'a', load: 2 }), SOON);
  });

  test('is not the result of a load that began before the change', async () => {
    const opened = await listening();
    let changed = 0;
    let value = 'old';
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const read = notifiedCache(opened, ['things'], async () => {
      const seen = { value };
      await gate;
      return seen;
    });
    opened.watch('things', () => (changed += 1));
    const early = read('a');
    value = 'new';
    await notify('things');
    await vi.waitFor(() => expect(changed).toBe(1), SOON);
    release();
    expect(await early).toEqual({ value: 'old' });
    expect(await read('a')).toEqual({ value: 'new' });
  });

  test('is not kept if it was missing, or while notices do not arrive', async () => {
    let loads = 0;
    const absent = notifiedCache(await listening(), ['things'], async () => void (loads += 1));
    await absent('a');
    await absent('a');
    expect(loads).toBe(2);

    const { find, count } = load();
    const deaf = notifiedCache(noChanges, ['things'], find);
    await deaf('a');
    await deaf('a');
    expect(count()).toBe(2);
  });
});

test('the channel carries the notices of triggers', async () => {
  const client = new Client({ connectionString: test_.url });
  await client.connect();
  await client.query('listen frontdesk_changes');
  const said = new Promise((resolve) => {
    client.on('notification', ({ payload }) => resolve(payload));
  });
  await notify('api_keys');
  expect(await said).toBe('api_keys');
  await client.end();
});
