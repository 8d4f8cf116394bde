import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distributeTables } from '#platform/database/cluster/distribute-tables.ts';
import {
  COORDINATOR_TABLES,
  FUNCTIONS_OF_NODES,
  REFERENCE_TABLES,
} from '#platform/database/cluster/table-placement.ts';
import { json } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { readAppointment } from '../../../../src/booking/appointments/read-appointments.ts';
import { readContact } from '../../../../src/contacts/contact.store.ts';
import { theMessage } from '../../../../src/conversations/messages/find-messages.ts';
import { readConversation } from '../../../../src/conversations/threads/conversation.store.ts';
import { readOpportunity } from '../../../../src/opportunities/opportunity.store.ts';
import { readTask } from '../../../../src/tasks/task.store.ts';
import { readSubscription } from '../../../../src/webhooks/subscriptions/subscription.store.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { migrations } from '#registry/migrations.ts';
import {
  createJoinedDatabase,
  joinDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../../../support/citus-cluster.ts';
import { populate } from '../../../support/populate/populate.ts';
import { on } from '../../../support/postgres-15.ts';
import { schemaOf } from '../../../support/schema-of.ts';
import { urlOf } from '../../../support/urls.ts';
import { lostOf, rowsIn } from '../../../upgrade/rows.ts';
import { add, placementIn, UUID, withClient } from './cluster.support.ts';

let cluster: CitusCluster;
beforeAll(async () => {
  cluster = await startCitusCluster();
});
afterAll(() => cluster?.stop());

let databases = 0;
const newName = () => `distribute_${(databases += 1)}`;

const schemaIn = (url: string) => withClient(url, schemaOf);

/** The functions that run on the node of the sub-account that is their first argument. */
const DELEGATED = `select p.proname as name from pg_proc p
  join pg_catalog.pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = p.oid
  where o.distribution_argument_index = 0 order by 1`;

const kindOf = (table: string): string =>
  REFERENCE_TABLES.has(table)
    ? 'reference'
    : COORDINATOR_TABLES.has(table)
      ? 'coordinator'
      : 'distributed';

const READERS = {
  appointment: readAppointment,
  contact: readContact,
  conversation: readConversation,
  message: (view: View, id: string) => theMessage(id)(view),
  opportunity: readOpportunity,
  task: readTask,
  'webhook subscription': readSubscription,
};

/** The statement that reads records by their ids. */
async function pointRead(read: (view: View, id: string) => Promise<unknown>): Promise<string> {
  let text = '';
  const point: View['point'] = async (given) => {
    ({ text } = given);
    return json('{}');
  };
  await read({ point } as View, UUID);
  return text;
}

describe('migrate on a database with the extension citus', () => {
  test('distributes an empty database, once, with every foreign key', async () => {
    const url = await createJoinedDatabase(cluster.urls, newName());
    await applyMigrations(url, migrations);
    await withClient(url, async (client) => {
      const placement = await placementIn(client);
      const expected = Object.keys(placement).map((table) => [table, kindOf(table)]);
      expect(placement).toEqual(Object.fromEntries(expected));
      const colocated = await client.query(
        `select distinct colocationid from pg_dist_partition where partmethod = 'h'`,
      );
      expect(colocated.rows).toHaveLength(1);
      const delegated = await client.query(DELEGATED);
      expect(delegated.rows).toEqual(FUNCTIONS_OF_NODES.map((name) => ({ name })));
      expect(await distributeTables(client)).toEqual([]);
      // A record is read by its id from one node, not from every shard.
      for (const [noun, read] of Object.entries(READERS)) {
        const { rows } = await client.query(`explain (format json) ${await pointRead(read)}`, [
          UUID,
          [UUID],
        ]);
        expect([noun, JSON.stringify(rows)]).toEqual([
          noun,
          expect.stringContaining('"Task Count":1,'),
        ]);
      }
    });
    expect(await applyMigrations(url, migrations)).toEqual([]);

    const name = newName();
    await on(cluster.coordinator.url, `create database ${name} template template0`);
    const plain = urlOf(cluster.coordinator.url, name);
    await applyMigrations(plain, migrations);
    const keysIn = async (where: string) =>
      (await schemaIn(where)).filter((line) => line.includes('FOREIGN KEY'));
    const withoutClearing = (line: string) => line.replace(/ ON DELETE SET NULL \(.*?\)/, '');
    expect(await keysIn(url)).toEqual((await keysIn(plain)).map(withoutClearing));
  });

  test('distributes a populated database without losing a row', async () => {
    const name = newName();
    await on(cluster.coordinator.url, `create database ${name} template template0 encoding 'UTF8'`);
    const url = urlOf(cluster.coordinator.url, name);
    await applyMigrations(url, migrations);
    const secrets = secretsOf(Buffer.alloc(32));
    await withClient(url, async (client) => {
      await populate(client, secrets);
      await populate(client, secrets);
    });
    const before = await withClient(url, rowsIn);
    await joinDatabase(cluster.urls, name);
    await applyMigrations(url, migrations);
    const after = await withClient(url, rowsIn);
    expect(Object.keys(before).length).toBeGreaterThan(50);
    expect(lostOf(before, after)).toEqual([]);
    // Tables without a log are not compared; on a cluster every table has one.
    const compared = Object.keys(before).map((table) => [table, after[table] ?? []]);
    expect(lostOf(Object.fromEntries(compared), before)).toEqual([]);
    const onDisk = `select pg_relation_size('contacts')::int as bytes`;
    const kept = await withClient(url, async (client) => (await client.query(onDisk)).rows);
    expect(kept).toEqual([{ bytes: 0 }]);
    const count = `select count(*)::int as rows from contacts`;
    const contacts = await withClient(url, async (client) => (await client.query(count)).rows);
    expect(contacts).toEqual([{ rows: before['contacts']?.length }]);
  });

  test('continues what a kill interrupted, at any step', async () => {
    const whole = await createJoinedDatabase(cluster.urls, newName());
    await applyMigrations(whole, migrations);
    const name = newName();
    await on(cluster.coordinator.url, `create database ${name} template template0 encoding 'UTF8'`);
    const url = urlOf(cluster.coordinator.url, name);
    await applyMigrations(url, migrations);
    await joinDatabase(cluster.urls, name);
    const KILLED_AFTER = [1, 25, 45, 20];
    for (const steps of KILLED_AFTER) {
      let done = 0;
      const killed = withClient(url, (client) =>
        distributeTables(client, () => {
          done += 1;
          if (done === steps) {
            client.connection.stream.destroy();
          }
        }),
      );
      await expect(killed).rejects.toThrow(/connection/i);
    }
    await applyMigrations(url, migrations);
    expect(await schemaIn(url)).toEqual(await schemaIn(whole));
  });

  test('clears references to a deleted row, and counts rows, on the node', async () => {
    const url = await createJoinedDatabase(cluster.urls, newName());
    await applyMigrations(url, migrations);
    await withClient(url, async (client) => {
      const [id, sub_account_id] = [UUID, UUID];
      await add(client, 'sub_accounts', { id });
      await add(client, 'team_members', { sub_account_id, id });
      await add(client, 'contacts', {
        sub_account_id,
        id,
        assigned_to: id,
        lifecycle_stage: 'lead',
      });
      await client.query('delete from team_members where sub_account_id = $1', [id]);
      const { rows } = await client.query(
        `select assigned_to from contacts where sub_account_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ assigned_to: null }]);
      const tallies = await client.query(
        `select noun, difference::int from tallies where sub_account_id = $1`,
        [id],
      );
      expect(tallies.rows).toEqual([{ noun: 'contacts', difference: 1 }]);
    });
  });
});
