import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { pino } from 'pino';
import {
  createClusterDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../../../support/citus-cluster.ts';
import { leave, published } from '../../notify/outbox.support.ts';

let cluster: CitusCluster;
let database: Database;
beforeAll(async () => {
  cluster = await startCitusCluster();
  const { url } = await createClusterDatabase(cluster);
  const log = pino({ level: 'silent' });
  database = openDatabase({ url, connections: 2, name: 'test', log });
});
afterAll(async () => {
  await database?.close();
  await cluster?.stop();
});

async function publish(atMost: number): Promise<number> {
  const [row] = await database.rows<{ count: number }>('select publish_events($1) as count', [
    atMost,
  ]);
  return row?.count ?? 0;
}

test('a burst of events in one sub-account takes turns with others, and keeps its own order', async () => {
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const flood = await leave({ database }, one, 500);
  const few = await leave({ database }, other, 3);
  // The rows of one sub-account are on one node, so a transaction publishes those of one.
  const first = await publish(100);
  expect(first + (await publish(100))).toBe(103);
  expect(await published({ database }, other)).toEqual(few);
  expect(await published({ database }, one)).toEqual(flood.slice(0, 100));
  expect(await publishAll(database)).toBe(400);
  expect(await published({ database }, one)).toEqual(flood);
});
