import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openNodeLanes } from '#platform/notify/node-lanes.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { pino } from 'pino';
import {
  createClusterDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../../../support/citus-cluster.ts';
import { urlOf } from '../../../support/urls.ts';
import { leave, published } from '../../notify/outbox.support.ts';
import { withClient } from './cluster.support.ts';

let cluster: CitusCluster;
let database: Database;
let databaseUrl: string;
const silent = pino({ level: 'silent' });
const WAIT = { timeout: 60_000, interval: 100 };
beforeAll(async () => {
  cluster = await startCitusCluster();
  const { url } = await createClusterDatabase(cluster);
  databaseUrl = url;
  database = openDatabase({ url, connections: 6, name: 'test', log: silent });
});
afterAll(async () => {
  await database?.close();
  await cluster?.stop();
});

const NODE_OF = `select n.nodeport as port from pg_dist_node n
  join pg_dist_placement p on p.groupid = n.groupid
  where p.shardid = get_shard_id_for_distribution_column('outbox', $1::uuid)`;

/** Returns the id of a sub-account that would be on this node. */
async function idOn(node: number): Promise<string> {
  const port = Number(new URL(cluster.workers[node]?.url ?? '').port);
  for (;;) {
    const id = crypto.randomUUID();
    const [row] = await database.rows<{ port: number }>(NODE_OF, [id]);
    if (row?.port === port) {
      return id;
    }
  }
}

/**
 * Publishes events of both nodes while the first one is in trouble, until that ends. Returns the numbers
 * of published events of the other node before the end, and of the first one afterwards.
 */
async function publishDuring(trouble: () => Promise<() => Promise<void>>) {
  const [stuck, other] = [await idOn(0), await idOn(1)];
  const lanes = openNodeLanes({ database, log: silent }, new AbortController().signal);
  const ids = await leave({ database }, stuck, 3);
  const end = await trouble();
  // A publisher of all sub-accounts, as in each worker.
  const others = publishAll(database).catch(() => undefined);
  for (let round = 1; round <= 3; round += 1) {
    await leave({ database }, other, 2);
    expect(await lanes.take([stuck, other])).toBe(true);
    await vi.waitFor(
      async () => expect(await published({ database }, other)).toHaveLength(2 * round),
      { timeout: 20_000 },
    );
  }
  const meanwhile = (await published({ database }, other)).length;
  await end();
  await others;
  await lanes.close();
  await vi.waitFor(async () => {
    await publishAll(database);
    expect(await published({ database }, stuck)).toEqual(ids);
  }, WAIT);
  return { meanwhile, afterwards: ids.length };
}

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

/** Lets a session of a node see and lock the shards, which are tables there. */
const SHARDS_ARE_TABLES = `set citus.override_table_visibility = off;
  set citus.enable_manual_changes_to_shards = on`;

test('while a node does not answer, events of the other nodes are published', async () => {
  const name = new URL(databaseUrl).pathname.slice(1);
  const node = urlOf(cluster.workers[0]?.url ?? '', name);
  const numbers = withClient(node, (client) =>
    publishDuring(async () => {
      await client.query(SHARDS_ARE_TABLES);
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_class where relkind = 'r' and relname ~ '^outbox_\\d+$'`,
      );
      const names = rows.map((row) => row.name).join(', ');
      await client.query(`begin; lock table ${names} in access exclusive mode`);
      return async () => void (await client.query('rollback'));
    }),
  );
  expect(await numbers).toEqual({ meanwhile: 6, afterwards: 3 });
});

test('while a node is lost, events of the other nodes are published', async () => {
  const numbers = publishDuring(async () => {
    await cluster.workers[0]?.kill();
    return async () => cluster.workers[0]?.start();
  });
  expect(await numbers).toEqual({ meanwhile: 6, afterwards: 3 });
});
