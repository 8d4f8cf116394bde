import { defineLease, isLeaseLost, leaseLost, withLease } from '#platform/database/lease.ts';
import { expect, test } from '../../support/service.ts';

const lease = defineLease({
  table: 'lease_rows',
  keys: ['id'],
  holder: 'holder',
  until: 'held_until',
  durationS: 10,
});

const TABLE = `create table if not exists lease_rows (
  id text primary key, holder text, held_until timestamptz)`;
const ACQUIRE = lease.acquireOrInsert('select $1::text as id', '$2::text');
const UPDATE = `update lease_rows r set ${lease.acquire('$2')}
  where r.id = $1 and not ${lease.isHeldElsewhere('r', '$2')} returning r.holder`;
const IS_HELD = `select from lease_rows r where r.id = $1 and ${lease.isHeldBy('r', '$2')}`;
const IS_AHEAD = `update lease_rows set held_until = held_until + interval '1 h'`;
const EXPIRE = `update lease_rows set held_until = now() - interval '1 s'`;

test('a lease has one holder until it is released or ends', async ({ running: { database } }) => {
  await database.rows(TABLE);
  const acquire = async (holder: string) => (await database.rows(ACQUIRE, ['a', holder])).length;
  const isHeldBy = async (holder: string) =>
    (await database.rows(IS_HELD, ['a', holder])).length > 0;
  expect([await acquire('one'), await acquire('other'), await acquire('one')]).toEqual([1, 0, 1]);
  await database.rows(lease.release(), ['a', 'other']);
  expect([await isHeldBy('one'), await isHeldBy('other')]).toEqual([true, false]);
  await database.rows(lease.release(), ['a', 'one']);
  expect([await acquire('other'), await acquire('one')]).toEqual([1, 0]);
  await database.rows(EXPIRE);
  expect([await isHeldBy('other'), await acquire('one')]).toEqual([false, 1]);
  await database.rows(lease.releaseAll, ['one']);
  expect(await isHeldBy('one')).toBe(false);
});

test('a lease of a clock that was ahead has ended', async ({ running: { database } }) => {
  await database.rows(TABLE);
  const acquire = async (holder: string) => (await database.rows(ACQUIRE, ['c', holder])).length;
  const update = async (holder: string) => (await database.rows(UPDATE, ['c', holder])).length;
  const isHeldBy = async (holder: string) =>
    (await database.rows(IS_HELD, ['c', holder])).length > 0;
  await acquire('one');
  await database.rows(IS_AHEAD);
  expect([await isHeldBy('one'), await acquire('other')]).toEqual([false, 1]);
  expect([await isHeldBy('other'), await acquire('one')]).toEqual([true, 0]);
  await database.rows(IS_AHEAD);
  expect([await update('one'), await update('other')]).toEqual([1, 0]);
});

test('a lease that was acquired during the transaction of another is held', async ({
  running: { database },
}) => {
  await database.rows(TABLE);
  await database.rows(ACQUIRE, ['d', 'one']);
  // As a transaction sees it that began before.
  await database.rows(`update lease_rows set held_until = held_until + interval '5 s'`);
  expect(await database.rows(ACQUIRE, ['d', 'other'])).toEqual([]);
  expect(await database.rows(UPDATE, ['d', 'other'])).toEqual([]);
  expect(await database.rows(IS_HELD, ['d', 'one'])).toHaveLength(1);
});

test('an existing row is acquired in an update of its own', async ({ running: { database } }) => {
  await database.rows(TABLE);
  await database.rows(`insert into lease_rows (id) values ('b')`);
  const acquire = async (holder: string) => (await database.rows(UPDATE, ['b', holder]))[0];
  expect(await acquire('one')).toEqual({ holder: 'one' });
  expect(await acquire('other')).toBeUndefined();
  await database.rows(EXPIRE);
  expect(await acquire('other')).toEqual({ holder: 'other' });
});

test('a lease is renewed until the work ends, and a failed renewal is no error', async () => {
  const renewed = Promise.withResolvers<readonly unknown[]>();
  const execute = (text: string, values: readonly unknown[]) => {
    expect(text).toBe(lease.renew);
    renewed.resolve(values);
    return Promise.reject(new Error('the database is down'));
  };
  const quick = { ...lease, renewEveryMs: 1 };
  expect(await withLease(quick, ['a', 'one'], { execute }, () => renewed.promise)).toEqual([
    'a',
    'one',
  ]);
});

test('a lost lease is told from other errors', () => {
  expect(isLeaseLost(leaseLost('another worker has it'))).toBe(true);
  expect(isLeaseLost(new Error('another worker has it'))).toBe(false);
});
