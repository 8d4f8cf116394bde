import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CONNECT_TIMEOUT_MS } from '#platform/database/connection-gate.ts';
import { openDatabase } from '#platform/database/database.ts';
import { isDatabaseAway } from '#platform/database/database-errors.ts';
import { isOutage } from '#platform/database/outage-log.ts';
import { viewer } from '#platform/database/view.ts';
import type { Changes } from '#platform/notify/changes.ts';
import { createDatabase } from '../../support/database.ts';

const LOCK = 4711;
const WAIT = `select pg_advisory_xact_lock_shared(${LOCK})`;
const CONNECTIONS = 4;

/** Reads of one sub-account hang until `release`. */
async function openHanging() {
  const created = await createDatabase();
  const log = pino({ level: 'silent' });
  const other = openDatabase({ url: created.url, connections: 1, name: 'lock', log });
  const database = openDatabase({ url: created.url, connections: CONNECTIONS, name: 'test', log });
  const lock = await other.pool.connect();
  await lock.query(`select pg_advisory_lock(${LOCK})`);
  const release = () => lock.query(`select pg_advisory_unlock(${LOCK})`);
  const open = viewer(database, {} as Changes);
  onTestFinished(async () => {
    lock.release(true);
    await Promise.all([other.close(), database.close()]);
    await created.drop();
  });
  return {
    release,
    transactions: database.transactions,
    view: (subAccountId: string) => open(subAccountId, new Date()),
  };
}

test('slow reads of a sub-account leave connections to others, and go on later', async () => {
  const { release, view } = await openHanging();
  const [slow, other] = [view(crypto.randomUUID()), view(crypto.randomUUID())];
  const hanging = Array.from({ length: 3 * CONNECTIONS }, (_, n) =>
    n % 2 === 0 ? slow.rows(WAIT, []) : slow.wireRows(WAIT, []),
  );
  expect(await other.rows('select 1 as one', [])).toEqual([{ one: 1 }]);
  expect(await other.wireRows('select 1', [])).toHaveLength(1);
  await release();
  expect(await Promise.all(hanging)).toHaveLength(3 * CONNECTIONS);
});

test('a read that waits too long for those before it is refused like a statement timeout', async () => {
  const { release, view } = await openHanging();
  const slow = view(crypto.randomUUID());
  const outcomes = Array.from({ length: CONNECTIONS }, () => slow.rows(WAIT, []));
  const settling = Promise.allSettled(outcomes);
  const error: unknown = await outcomes.at(-1)?.catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({
    code: '57014',
    message: expect.stringContaining('its share'),
  });
  expect([isDatabaseAway(error), isOutage(error)]).toEqual([true, false]);
  await release();
  const statuses = (await settling).map(({ status }) => status);
  expect(statuses).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
});

test('a transaction waits longer for those before it than for a connection', async () => {
  const { transactions } = await openHanging();
  const subAccountId = crypto.randomUUID();
  const leave = await transactions.enter(subAccountId);
  await transactions.enter(subAccountId);
  const third = transactions.enter(subAccountId);
  await setTimeout(CONNECT_TIMEOUT_MS + 500);
  leave();
  expect(await third).toBeTypeOf('function');
});
