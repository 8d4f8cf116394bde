import { afterAll, beforeAll, expect, test } from 'vitest';
import { distributeTables } from '#platform/database/cluster/distribute-tables.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { defineMigration } from '#platform/database/migrate/migration.ts';
import { migrations } from '#registry/migrations.ts';
import { plansOfTotals } from '../../../../migrations/20261126173000_plans_of_totals.ts';
import {
  createJoinedDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../../../support/citus-cluster.ts';
import { populate } from '../../../support/populate/populate.ts';
import { on } from '../../../support/postgres-15.ts';
import { schemaOf } from '../../../support/schema-of.ts';
import { urlOf } from '../../../support/urls.ts';
import { add, placementIn, UUID, withClient } from './cluster.support.ts';

let cluster: CitusCluster;
beforeAll(async () => {
  cluster = await startCitusCluster();
});
afterAll(() => cluster?.stop());

/** What the steps of a release do: a table with keys, a column, an index, a trigger, a function. */
const LATER = defineMigration('99991231000000_later', [
  `create table visits (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    contact_id uuid,
    deleted_at timestamptz,
    primary key (sub_account_id, id),
    foreign key (sub_account_id, contact_id) references contacts (sub_account_id, id)
      on delete set null (contact_id)
  )`,
  `create index visits_of_contact on visits (sub_account_id, contact_id)`,
  `create trigger visits_tally_inserts after insert on visits
    referencing new table as added for each statement execute function tally_inserts()`,
  `create function keep_shoe_size() returns trigger language plpgsql as $$
   begin
     new.shoe_size := coalesce(new.shoe_size, 41);
     return new;
   end $$`,
  `create trigger contacts_keep_shoe_size before insert on contacts
    for each row execute function keep_shoe_size()`,
  `alter table contacts add column shoe_size integer not null default 41`,
]);
const LATEST = defineMigration('99991231000001_latest', [
  `update contacts set shoe_size = shoe_size + 1`,
  ...plansOfTotals.statements,
  `create or replace function publish_events(
     at_most integer, since uuid default '00000000-0000-0000-0000-000000000000'
   ) returns integer language sql as 'select 0'`,
]);

const columnsIn = async (url: string) =>
  (await withClient(url, schemaOf)).filter((line) => /^(?:column|index) /.test(line));

test('applies the steps of later releases to distributed tables and to others', async () => {
  const url = await createJoinedDatabase(cluster.urls, 'distributed');
  await on(cluster.coordinator.url, `create database plain template template0`);
  const plain = urlOf(cluster.coordinator.url, 'plain');
  for (const where of [url, plain]) {
    await applyMigrations(where, migrations);
    await withClient(where, (client) => populate(client, secretsOf(Buffer.alloc(32))));
    expect(await applyMigrations(where, [...migrations, LATER, LATEST])).toEqual([
      LATER.name,
      LATEST.name,
    ]);
  }
  expect(await columnsIn(url)).toEqual(await columnsIn(plain));
  await withClient(url, async (client) => {
    const placement = await placementIn(client);
    expect(placement['visits']).toBe('distributed');
    // The functions of a cluster are back.
    const publish = await client.query(
      `select prosrc from pg_proc where proname = 'publish_events'`,
    );
    expect(publish.rows[0].prosrc).toContain('publish_of_node');
    const { rows } = await client.query('select sub_account_id, shoe_size from contacts');
    expect(rows.map((row) => row.shoe_size)).toEqual(rows.map(() => 42));
    const mine = { sub_account_id: rows[0].sub_account_id, id: UUID };
    await add(client, 'contacts', { ...mine, lifecycle_stage: 'lead' });
    await add(client, 'visits', { ...mine, contact_id: UUID });
    await client.query('delete from contacts where sub_account_id = $1 and id = $2', [
      mine.sub_account_id,
      UUID,
    ]);
    const visits = await client.query('select contact_id from visits');
    expect(visits.rows).toEqual([{ contact_id: null }]);
    expect(await distributeTables(client)).toEqual([]);
  });
});
