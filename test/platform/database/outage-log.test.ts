import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#platform/database/database.ts';
import { outageHook } from '#platform/database/outage-log.ts';
import { startPublisher } from '#platform/notify/publisher.ts';
import { createDatabase } from '../../support/database.ts';
import { openProxy } from '../../support/proxy.ts';

const WAIT = { timeout: 60_000, interval: 20 };

/** A publisher whose way to the database can be cut, and what it logs. */
async function startCutOff() {
  const lines: { level: number; msg: string; why?: string; unreachableFor?: string }[] = [];
  const log = pino(
    { level: 'debug', hooks: outageHook },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const testDatabase = await createDatabase();
  const proxy = await openProxy(testDatabase.url);
  const database = openDatabase({ url: proxy.url, connections: 4, name: 'cut', log });
  const publisher = startPublisher({ url: proxy.url, database, pollIntervalMs: 50, log });
  onTestFinished(async () => {
    await proxy.restore().catch(() => undefined);
    await publisher.stop();
    await database.close();
    await proxy.cut();
    await testDatabase.drop();
  });
  const said = (least = 40) => lines.filter(({ level }) => level >= least);
  const tries = () =>
    lines.filter(({ msg }) => msg === 'events not published; trying again').length;
  return { log, lines, proxy, database, said, tries };
}

test('an unavailable database is logged once, then every 30 s, then once when it is back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { proxy, database, said, tries } = await startCutOff();
  await database.rows('select 1');
  await proxy.cut();
  await vi.waitFor(() => expect(tries()).toBeGreaterThan(5), WAIT);
  expect(said().map(({ msg }) => msg)).toEqual(['database unreachable']);
  expect(said()[0]?.why).toBeTypeOf('string');
  vi.advanceTimersByTime(60_000);
  expect(said().map(({ msg }) => msg)).toEqual([
    'database unreachable',
    'database still unreachable',
    'database still unreachable',
  ]);
  await proxy.restore();
  await vi.waitFor(() => expect(said().at(-1)?.msg).toBe('database back'), WAIT);
  expect(said().at(-1)?.unreachableFor).toMatch(/^\d+ s$/);
  vi.advanceTimersByTime(60_000);
  await database.rows('select 1');
  expect(said()).toHaveLength(4);
});

test('a connection that is reset while a statement runs is an outage', async () => {
  const { log, proxy, database, said } = await startCutOff();
  const underWay = database
    .rows('select pg_sleep(60)')
    .catch((err: unknown) => log.error({ err }, 'request failed'));
  await vi.waitFor(async () => {
    const [row] = await database.rows<{ running: number }>(
      `select count(*)::int as running from pg_stat_activity where query = 'select pg_sleep(60)'`,
    );
    expect(row?.running).toBe(1);
  }, WAIT);
  await proxy.reset();
  await underWay;
  expect(said().map(({ msg }) => msg)).toEqual(['database unreachable']);
});

test('a database that refuses changes is one outage, although it responds to reads', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, database, said } = await startCutOff();
  const write = () =>
    database
      .rows('select set_config($1, $2, true), nextval($3)', [
        'transaction_read_only',
        'on',
        'written',
      ])
      .catch((err: unknown) => log.warn({ err }, 'request failed'));
  await database.rows('create sequence written');
  await write();
  await database.rows('select 1');
  await write();
  await database.rows('select 1');
  expect(said().map(({ msg }) => msg)).toEqual(['database refuses changes']);
  vi.advanceTimersByTime(30_000);
  await database.rows('select 1');
  expect(said().map(({ msg }) => msg)).toEqual([
    'database refuses changes',
    'database still refuses changes',
    'database back',
  ]);
});

test('a lost node of a cluster is one outage, although the coordinator responds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, database, said } = await startCutOff();
  const read = (code: string, message: string) =>
    database
      .rows(`do $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$`)
      .catch((err: unknown) => log.warn({ err }, 'request failed'));
  const losses = [
    ['08006', 'connection to the remote node 10.0.0.2:5432 failed'],
    ['XX000', 'server closed the connection unexpectedly'],
  ] as const;
  for (const [code, message] of [...losses, ...losses]) {
    await read(code, message);
    await database.rows('select 1');
  }
  expect(said().map(({ msg }) => msg)).toEqual(['database node unreachable']);
  vi.advanceTimersByTime(30_000);
  await database.rows('select 1');
  expect(said().map(({ msg }) => msg)).toEqual([
    'database node unreachable',
    'database node still unreachable',
    'database back',
  ]);
});

test('a pooler that cannot reach the database is an outage of the database', async () => {
  const { log, database, said } = await startCutOff();
  await database
    .rows(
      `do $$ begin raise exception using errcode = '08P01', message = 'server login failed'; end $$`,
    )
    .catch((err: unknown) => log.warn({ err }, 'request failed'));
  expect(said().map(({ msg }) => msg)).toEqual(['database unreachable']);
});

test('a database that stops while a pool closes its connections is no outage', async () => {
  const { lines, log, proxy, said } = await startCutOff();
  const database = openDatabase({ url: proxy.url, connections: 1, name: 'ending', log });
  await database.rows('select 1');
  const lost = Object.assign(new Error('terminating connection due to administrator command'), {
    code: '57P01',
  });
  await database.close();
  database.pool.emit('error', lost, {});
  expect(said()).toEqual([]);
  expect(lines.at(-1)?.msg).toBe('ending database connection lost');
});

test('refused connections of another server are logged as usual', async () => {
  const { log, said } = await startCutOff();
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), {
    code: 'ECONNREFUSED',
  });
  log.warn({ err: refused }, 'mail not sent');
  log.error({ err: refused }, 'nor this one');
  expect(said().map(({ msg }) => msg)).toEqual(['mail not sent', 'nor this one']);
});

test('a request that finds every connection busy is no outage of the database', async () => {
  const { log, proxy, said } = await startCutOff();
  const busy = openDatabase({ url: proxy.url, connections: 1, name: 'busy', log });
  const slow = busy.rows('select pg_sleep(6)');
  await busy.rows('select 1').catch((err: unknown) => log.error({ err }, 'request failed'));
  await slow;
  await busy.close();
  expect(said().map(({ msg }) => msg)).toEqual(['request failed']);
});
