import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { newId } from '#lib/id.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { WAITING } from '../../support/locks.ts';
import { describe, expect, test as base, type TestService } from '../../support/service.ts';
import { insertEvents, leave, published } from './outbox.support.ts';

/** With connections of its own: publishers of several processes. */
const test = base.extend<{ other: Database }>({
  other: async ({ service }, use) => {
    const log = pino({ level: 'silent' });
    const database = openDatabase({
      url: service.databaseUrl,
      connections: 10,
      name: 'other',
      log,
    });
    await use(database);
    await database.close();
  },
});

/** How many statements of its database wait for a lock. */
const lockWaits = async ({ database }: TestService): Promise<number> =>
  (await database.rows(WAITING)).length;

const waiting = async ({ database }: TestService): Promise<number> => {
  const [row] = await database.rows<{ count: number }>('select count(*) from outbox');
  return row?.count ?? 0;
};

describe('publishing', () => {
  test('gives each sub-account its events in the order in which they happened', async ({
    service,
  }) => {
    const { subAccountId, otherSubAccountId, database } = service;
    const own: string[] = [];
    const foreign: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      own.push(...(await leave(service, subAccountId, 3)));
      foreign.push(...(await leave(service, otherSubAccountId, 2)));
    }
    expect(await publishAll(database)).toBe(100);
    own.push(...(await leave(service, subAccountId, 5)));
    expect(await publishAll(database)).toBe(5);
    expect(await publishAll(database)).toBe(0);
    expect(await published(service, subAccountId)).toEqual(own);
    expect(await published(service, otherSubAccountId)).toEqual(foreign);
    expect(await waiting(service)).toBe(0);
  });

  test('continues until the outbox is empty', async ({ service }) => {
    const ids = await leave(service, service.subAccountId, 3_500);
    expect(await publishAll(service.database)).toBe(3_500);
    expect(await published(service, service.subAccountId)).toEqual(ids);
  });

  test('keeps events byte for byte', async ({ service }) => {
    const { subAccountId, database } = service;
    const data = '{"b":1.50, "a" : "\\u00fc", "b":2}';
    const id = newId(new Date());
    const contactId = crypto.randomUUID();
    const at = new Date('2026-01-31T09:00:00.123Z');
    await database.rows('insert into outbox values ($1, $2, $3, $4, $5, $6)', [
      subAccountId,
      id,
      'invoice.paid',
      contactId,
      data,
      at,
    ]);
    await publishAll(database);
    const [{ position, ...event }] = (await database.rows<any>(
      'select *, data::text as data from events where id = $1',
      [id],
    )) as [any];
    expect(position).toBeGreaterThan(0);
    expect(event).toEqual({
      sub_account_id: subAccountId,
      id,
      name: 'invoice.paid',
      contact_id: contactId,
      data,
      occurred_at: at,
    });
  });

  test('by several at once publishes each event once, and never before a position that was read', async ({
    service,
    other,
  }) => {
    const { subAccountId, database } = service;
    const ids: string[] = [];
    const over = new AbortController();
    const publishing = Array.from({ length: 4 }, async () => {
      let count = 0;
      while (!over.signal.aborted) {
        count += await publishAll(other);
      }
      return count;
    });
    const reading = (async () => {
      const known = new Set<number>();
      let last = 0;
      while (!over.signal.aborted) {
        const rows = await database.rows<{ position: number }>(
          'select position from events where sub_account_id = $1 order by position',
          [subAccountId],
        );
        const places = rows.map(({ position }) => position);
        const seen = places.filter((position) => position <= last).length;
        places.slice(0, seen).forEach((position) => known.add(position));
        expect(known.size).toBe(seen);
        places.forEach((position) => known.add(position));
        last = places.at(-1) ?? 0;
      }
    })();
    for (let n = 0; n < 100; n += 1) {
      ids.push(...(await leave(service, subAccountId, 1 + (n % 30))));
    }
    while ((await waiting(service)) > 0) {
      await sleep(5);
    }
    over.abort();
    const counts = await Promise.all(publishing);
    await reading;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
    expect(await published(service, subAccountId)).toEqual(ids);
  });

  test('waits until other publishers have committed, even if they take other events', async ({
    service,
    other,
  }) => {
    const { subAccountId } = service;
    // Made first and committed last, so that they come before those that are being published.
    const early = Array.from({ length: 2 }, () => newId(new Date()));
    const ids = await leave(service, subAccountId, 2);
    const client = await other.pool.connect();
    await client.query('begin; select publish_events(2)');
    await insertEvents(service, subAccountId, early);
    const publishing = other.pool.query('select publish_events(2)');
    await expect.poll(() => lockWaits(service)).toBe(1);
    const meanwhile = await published(service, subAccountId);
    await client.query('commit');
    client.release();
    expect(meanwhile).toEqual([]);
    await publishing;
    expect(await published(service, subAccountId)).toEqual([...ids, ...early]);
  });

  test('that is killed before its commit loses and repeats nothing', async ({ service, other }) => {
    const { subAccountId, database } = service;
    const ids = await leave(service, subAccountId, 50);
    const client = await other.pool.connect();
    const gone = new Promise<void>((resolve) => {
      client.once('error', () => resolve());
    });
    await client.query('begin');
    const { rows } = await client.query('select publish_events(1000), pg_backend_pid() as pid');
    expect(rows[0].publish_events).toBe(50);
    const meanwhile = publishAll(database);
    await database.rows('select pg_terminate_backend($1::int)', [rows[0].pid]);
    await gone;
    client.release(true);
    expect(await meanwhile).toBe(50);
    expect(await published(service, subAccountId)).toEqual(ids);
    expect(await waiting(service)).toBe(0);
  });
});
