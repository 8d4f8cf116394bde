import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { describe, expect, test } from '../../support/service.ts';

const PREPARED = 'select count(*)::int4 as n from pg_prepared_statements';

describe('the database', () => {
  test('keeps a connection whose statement broke a constraint', async ({ service }) => {
    const { database, call } = service;
    const body = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    await call('POST /api/v1/contacts', { body });
    const removed: unknown[] = [];
    database.pool.on('remove', (client) => removed.push(client));
    for (let n = 0; n < 10; n += 1) {
      expect((await call('POST /api/v1/contacts', { body })).status).toBe(400);
    }
    expect(removed).toEqual([]);
  });

  test('drops a connection whose statement failed for another reason', async ({
    running: { database },
  }) => {
    const removed: unknown[] = [];
    database.pool.on('remove', (client) => removed.push(client));
    await expect(database.rows('select 1 / 0')).rejects.toThrow('division by zero');
    await expect.poll(() => removed.length).toBe(1);
  });

  test('prepares a thousand statements and no more, however many texts there are', async ({
    running: { database },
  }) => {
    const client = await database.pool.connect();
    client.release();
    for (let n = 0; n < 1_200; n += 1) {
      expect(await database.rows(`select ${n} as n`)).toEqual([{ n }]);
    }
    const [row] = await database.rows<{ n: number }>(PREPARED);
    expect(row?.n).toBeLessThanOrEqual(1_000);
  });
});

test.for([
  ['57P01', true],
  ['57014', true],
  ['53100', true],
  ['53200', false],
  ['53300', true],
  ['08006', true],
  ['ECONNREFUSED', true],
  ['23505', false],
  ['42601', false],
  ['22P02', false],
] as const)('%s means that the database is away: %s', ([code, isAway]) => {
  const error = Object.assign(new Error('said so'), { code });
  expect(isDatabaseAway(error)).toBe(isAway);
  expect(isDatabaseAway(new Error('wrapped', { cause: error }))).toBe(isAway);
});

test.for([
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
  'could not commit transaction for shard 102114 on at least one active node',
  'connection to the remote node postgres@127.0.0.1:9700 failed with the following error: connection not open',
])('the coordinator of a cluster lost a node: %s', (message) => {
  expect(isDatabaseAway(Object.assign(new Error(message), { code: 'XX000' }))).toBe(true);
});
