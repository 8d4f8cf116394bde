import { openDatabase, type Database } from '#platform/database/database.ts';
import { newBacklog, publishAll, startPublisher } from '#platform/notify/publisher.ts';
import { pino } from 'pino';
import { inject, vi } from 'vitest';
import { headPosition } from '../../../src/webhooks/feed/find-events.ts';
import { describe, expect, test as base, type TestService } from '../../support/service.ts';
import { leave, published } from './outbox.support.ts';

/** Sessions whose statements fail at the first lock that they would have to wait for. */
const test = base.extend<{ impatient: Database }>({
  impatient: async ({ service }, use) => {
    const url = new URL(service.databaseUrl);
    url.searchParams.set('options', '-c lock_timeout=1ms');
    const database = openDatabase({
      url: url.href,
      connections: 2,
      name: 'impatient',
      log: pino({ level: 'silent' }),
    });
    await use(database);
    await database.close();
  },
});

const SUBSCRIBE = `insert into webhook_subscriptions
  (sub_account_id, id, url, events, status, secret, position, created_at, updated_at)
  select $1, gen_random_uuid(), 'https://example.com/', '{task.created}', 'active', '', 0, now(), now()
  from generate_series(1, $2::int)`;

const publish = async ({ rows }: Pick<Database, 'rows'>, atMost: number): Promise<number> => {
  const [row] = await rows<{ count: number }>('select publish_events($1) as count', [atMost]);
  return row?.count ?? 0;
};

/** What PostgreSQL returns for a batch. */
const batchOf = (published: number) => {
  const at = new Date();
  return { published, isShared: true, writingSince: at, at };
};

const onCluster = inject('nodeUrls').length > 0;

describe('a burst of events in one sub-account', () => {
  test.skipIf(onCluster)(
    'shares each batch with the events of others, and keeps its own order',
    async ({ service }) => {
      const { subAccountId, otherSubAccountId, database } = service;
      const flood = await leave(service, otherSubAccountId, 500);
      const few = await leave(service, subAccountId, 3);
      expect(await publish(database, 100)).toBe(100);
      expect(await published(service, subAccountId)).toEqual(few);
      expect(await published(service, otherSubAccountId)).toEqual(flood.slice(0, 97));
      expect(await publishAll(database)).toBe(403);
      expect(await published(service, otherSubAccountId)).toEqual(flood);
    },
  );

  test.skipIf(onCluster)(
    'includes the longest-waiting if more sub-accounts wait than a batch holds',
    async ({ service: { database } }) => {
      const accounts = Array.from({ length: 5 }, () => crypto.randomUUID());
      for (const account of accounts) {
        await leave({ database }, account, 2);
      }
      const first = async () =>
        (
          await database.rows<{ account: string }>(
            'select sub_account_id as account from events where sub_account_id = any($1)',
            [accounts],
          )
        ).map(({ account }) => account);
      expect(await publish(database, 3)).toBe(3);
      expect(new Set(await first())).toEqual(new Set(accounts.slice(0, 3)));
      expect(await publishAll(database)).toBe(7);
    },
  );

  test('does not delay a request for the latest position of another sub-account', async ({
    service,
  }) => {
    const { subAccountId, otherSubAccountId, database, openView, clock } = service;
    await leave(service, otherSubAccountId, 50);
    const own = await leave(service, subAccountId, 2);
    const head = await headPosition(openView(subAccountId, clock()));
    expect(await published(service, subAccountId)).toEqual(own);
    expect(await published(service, otherSubAccountId)).toEqual([]);
    const [last] = await database.rows<{ position: number }>(
      'select position from events where id = $1',
      [own[1]],
    );
    expect(head).toBe(last?.position);
    await publishAll(database);
  });
});

describe('the size of a batch', () => {
  /** A database that takes longer than it may for more than `limit` events at a time. */
  const limited = (limit: number) => {
    const sizes: number[] = [];
    const rows = async (text: string, [size]: readonly unknown[] = []): Promise<any[]> => {
      if (!text.includes('publish_events')) {
        return [];
      }
      sizes.push(Number(size));
      if (Number(size) > limit) {
        throw Object.assign(new Error('canceling statement'), { code: '57014' });
      }
      return [batchOf(sizes.length < 20 ? Number(size) : 0)];
    };
    return { sizes, rows };
  };

  test('is halved after each failure until the database accepts it', async () => {
    const backlog = newBacklog();
    const { sizes, rows } = limited(200);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(publishAll({ rows }, backlog)).rejects.toThrow('canceling statement');
    }
    expect(sizes).toEqual([1_000, 500, 250]);
    expect(backlog.size).toBe(125);
  });

  test('grows during a burst, to a limit, and starts over after it', async () => {
    const backlog = newBacklog();
    const { sizes, rows } = limited(Infinity);
    await publishAll({ rows }, backlog);
    expect(sizes.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(backlog.size).toBe(1_000);
  });

  /** Publishes all waiting events by batches that take seconds, as while a node does not answer. */
  const publishSlowly = async (waiting: number) => {
    const backlog = newBacklog();
    const sizes: number[] = [];
    let left = waiting;
    vi.useFakeTimers({ toFake: ['performance'] });
    const rows = async (text: string, [size]: readonly unknown[] = []): Promise<any[]> => {
      if (!text.includes('publish_events')) {
        return [];
      }
      vi.advanceTimersByTime(2_000);
      sizes.push(Number(size));
      const count = Math.min(Number(size), left);
      left -= count;
      return [batchOf(count)];
    };
    await publishAll({ rows }, backlog).finally(() => vi.useRealTimers());
    return { sizes, size: backlog.size };
  };

  test('is halved by slow full batches, but not to single events', async () => {
    const { sizes, size } = await publishSlowly(2_500);
    expect(sizes.slice(0, 6)).toEqual([1_000, 500, 250, 125, 100, 100]);
    expect(size).toBe(100);
  });

  test('stays if few events take long', async () => {
    expect(await publishSlowly(30)).toEqual({ sizes: [1_000, 1_000], size: 1_000 });
  });
});

test('a publisher stops after its batch, although more events wait', async ({ service }) => {
  const publishing = Promise.withResolvers<void>();
  const rows = async (_: string, [size]: readonly unknown[] = []): Promise<any[]> => {
    publishing.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    return [batchOf(Number(size))];
  };
  const log = pino({ level: 'silent' });
  const options = { url: service.databaseUrl, database: { rows }, pollIntervalMs: 1_000, log };
  const publisher = startPublisher(options);
  await publishing.promise;
  await publisher.stop();
});

describe('publishing a batch', () => {
  const EXPLAIN = 'explain (analyze, buffers, format json) select publish_events(100)';

  /** Pages that publishing 100 of the events of ten sub-accounts reads. */
  async function pagesRead(service: TestService, waiting: number): Promise<number> {
    const { database } = service;
    await publishAll(database);
    await database.rows('vacuum (analyze) outbox');
    const client = await database.pool.connect();
    try {
      // Prepares its plans while the outbox is empty, as a publisher at rest has.
      for (let call = 0; call < 7; call += 1) {
        await client.query('select publish_events(100)');
      }
      for (let account = 0; account < 10; account += 1) {
        await leave(service, crypto.randomUUID(), waiting / 10);
      }
      const { rows } = await client.query(EXPLAIN);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    } finally {
      client.release();
    }
  }

  test('reads the same number of rows whether few or many events wait', async ({ service }) => {
    const few = await pagesRead(service, 1_000);
    const many = await pagesRead(service, 20_000);
    expect(many).toBeLessThan(1.5 * few);
  });

  test('does not wait for workers that claim or complete the jobs of its subscriptions', async ({
    service,
    impatient,
  }) => {
    const { subAccountId, database } = service;
    await database.rows(SUBSCRIBE, [subAccountId, 3]);
    await leave(service, subAccountId, 1);
    await publishAll(database);
    const jobs = () =>
      database.rows<{ key: string | null; payload: { subscriptionId: string } }>(
        `select key, payload from graphile_worker._private_jobs
         where payload->>'subAccountId' = $1 order by id`,
        [subAccountId],
      );
    const before = await jobs();
    expect(before).toHaveLength(3);
    await leave(service, subAccountId, 1);
    const worker = await database.pool.connect();
    try {
      await worker.query('begin');
      const inHand = before.slice(0, 2).map(({ key }) => key);
      await worker.query(
        'select from graphile_worker._private_jobs where key = any($1) for update',
        [inHand],
      );
      expect(await publishAll(impatient)).toBe(1);
      await worker.query('commit');
    } finally {
      worker.release(true);
    }
    const added = (await jobs()).filter(({ key }) => key === null);
    expect(added.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining(before.slice(0, 2).map(({ payload }) => payload)),
    );
    expect(added).toHaveLength(2);
    expect(await jobs()).toHaveLength(5);
  });
});
