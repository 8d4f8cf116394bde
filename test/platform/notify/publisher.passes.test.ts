import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { inject, onTestFinished, vi } from 'vitest';
import { firstIdAt, newId } from '#lib/id.ts';
import { newBacklog, publishAll, startPublisher } from '#platform/notify/publisher.ts';
import { describe, expect, test } from '../../support/service.ts';
import { insertEvents, leave, published } from './outbox.support.ts';

describe('passes over all events', () => {
  const AT = new Date('2026-03-01T12:00:00Z');
  const ALL = '00000000-0000-0000-0000-000000000000';

  /** A database that answers after `tookMs` with the next of `counts`, then with 0. */
  function slow(tookMs: number, counts: readonly number[], isShared = true, writingSince = AT) {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const left = [...counts];
    const passes: string[] = [];
    const rows = async (text: string, [, since]: readonly unknown[] = []): Promise<any[]> => {
      if (!text.includes('publish_events')) {
        return [];
      }
      passes.push(String(since));
      vi.advanceTimersByTime(tookMs);
      return [{ published: left.shift() ?? 0, isShared, writingSince, at: AT }];
    };
    return { passes, rows };
  }

  test('take a tenth of the time; the others read what came since', async () => {
    const { passes, rows } = slow(100, [50]);
    const backlog = newBacklog();
    await publishAll({ rows }, backlog);
    // A second less: transactions that began earlier may have committed later.
    const since = firstIdAt(new Date(AT.getTime() - 1_000));
    expect(passes).toEqual([ALL, since]);
    expect(backlog.isPartial).toBe(false);
    await publishAll({ rows }, backlog);
    expect(passes.slice(2)).toEqual([since]);
    expect(backlog.isPartial).toBe(true);
    vi.advanceTimersByTime(1_000);
    await publishAll({ rows }, backlog);
    expect(passes.slice(3)).toEqual([ALL]);
    expect(backlog.isPartial).toBe(false);
  });

  test('do not become longer by a transaction that was left open', async () => {
    const { rows } = slow(100, [50], true, new Date('2026-03-01T08:00:00Z'));
    const backlog = newBacklog();
    await publishAll({ rows }, backlog);
    expect(backlog.since).toBe(firstIdAt(new Date('2026-03-01T11:54:59Z')));
  });

  test('count as complete when they leave nothing', async () => {
    const full = slow(100, [1_000, 1_000]);
    const backlog = newBacklog();
    await publishAll(full, backlog);
    expect(full.passes).toEqual([ALL, ALL, ALL]);
    expect(backlog.isPartial).toBe(true);
    // A batch of a cluster has events of one sub-account only: others may wait.
    const oneByOne = slow(100, [5, 5], false);
    const ofCluster = newBacklog();
    await publishAll(oneByOne, ofCluster);
    expect(oneByOne.passes).toEqual([ALL, ALL, ALL]);
    expect(ofCluster).toMatchObject({ since: ALL, isPartial: true });
    vi.advanceTimersByTime(1_000);
    await publishAll(oneByOne, ofCluster);
    expect(ofCluster).toMatchObject({
      since: firstIdAt(new Date(AT.getTime() - 1_000)),
      isPartial: false,
    });
  });
});

test.skipIf(inject('nodeUrls').length > 0)(
  'passes of what came since include the events of transactions that were open',
  async ({ service }) => {
    const { database, subAccountId } = service;
    const writer = await database.pool.connect();
    onTestFinished(() => writer.release(true));
    await writer.query('begin');
    // Whatever it writes before its events.
    await writer.query('select txid_current()');
    const { rows } = await writer.query<{ ms: number }>(
      'select extract(epoch from now())::float8 * 1000 as ms',
    );
    const begunAt = Math.floor(rows[0]?.ms ?? 0);
    await sleep(100);
    const backlog = newBacklog();
    await leave(service, subAccountId, 1);
    await publishAll(database, backlog);
    expect(backlog.since).toBe(firstIdAt(new Date(begunAt - 1_000)));
  },
);

test('late events are published in their order, before later ones', async ({ service }) => {
  const { database, subAccountId } = service;
  const backlog = newBacklog();
  await leave(service, subAccountId, 1);
  await publishAll(database, backlog);
  const late = Array.from({ length: 3_500 }, () => newId(new Date(Date.now() - 60_000)));
  await insertEvents(service, subAccountId, late);
  const [latest = ''] = await leave(service, subAccountId, 1);
  backlog.wholeAt = 0;
  expect(await publishAll(database, backlog)).toBe(3_501);
  expect((await published(service, subAccountId)).slice(1)).toEqual([...late, latest]);
});

const EXPLAIN_SINCE = 'explain (analyze, buffers, format json) select next_unpublished(100, $1)';

test.skipIf(inject('nodeUrls').length > 0)(
  'does not pass the rows of published events again, although an open transaction keeps them',
  async ({ service, skip }) => {
    const { database } = service;
    const [server] = await database.rows<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    skip((server?.version ?? 0) < 180_000, 'PostgreSQL 18 began to skip parts of an index');
    const holder = await database.pool.connect();
    const publisher = await database.pool.connect();
    try {
      await holder.query('begin isolation level repeatable read; select from outbox');
      for (let account = 0; account < 5; account += 1) {
        await leave(service, crypto.randomUUID(), 2_000);
      }
      await publishAll(database);
      const since = newId(new Date());
      await leave(service, crypto.randomUUID(), 100);
      const pages = async (from: string) => {
        const { rows } = await publisher.query(EXPLAIN_SINCE, [from]);
        const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
        return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      };
      // The first call reads what the plans need.
      const whole = async () => pages(newId(new Date(0)));
      await whole();
      expect(await pages(since)).toBeLessThan((await whole()) / 5);
      expect(await publishAll(database)).toBe(100);
    } finally {
      holder.release(true);
      publisher.release();
    }
  },
);

test('a publisher whose database fails tries again after the poll interval, not at once', async ({
  service,
}) => {
  let attempts = 0;
  const failed = Promise.withResolvers<void>();
  const rows = async (): Promise<never> => {
    attempts += 1;
    failed.resolve();
    throw new Error('the database is away');
  };
  const log = pino({ level: 'silent' });
  const options = { url: service.databaseUrl, database: { rows }, pollIntervalMs: 60_000, log };
  const publisher = startPublisher(options);
  await failed.promise;
  await sleep(300);
  await publisher.stop();
  // At its start, and once its connection for notices is open.
  expect(attempts).toBeLessThanOrEqual(3);
});
