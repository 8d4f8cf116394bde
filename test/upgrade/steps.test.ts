import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { applyEarlierMigrations, applyMigrations } from '#platform/database/migrate/migrate.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { withDatabase } from '../operations/backup.support.ts';
import { copyOf, createDatabase, joinNodes, type TestDatabase } from '../support/database.ts';
import { populate } from '../support/populate/populate.ts';
import { schemaOf } from '../support/schema-of.ts';
import { lostOf, rowsIn } from './rows.ts';

/** Distributing the tables of every database on a cluster takes half an hour. */
const EVERY = inject('nodeUrls').length > 0 ? 10 : 1;
const PREFIXES = migrations
  .map(({ name }, index) => ({ name, steps: index + 1 }))
  .filter(({ steps }) => steps % EVERY === 0);

let whole: readonly string[];
/** Grows by one migration with each test, which takes a copy of it. */
let growing: TestDatabase;
beforeAll(async () => {
  growing = await createDatabase('plain');
  const fresh = await createDatabase('migrated');
  whole = await withDatabase(fresh.url, schemaOf);
  await fresh.drop();
});
afterAll(() => growing.drop());

async function databaseAfter(steps: number): Promise<TestDatabase> {
  await applyEarlierMigrations(growing.url, migrations.slice(0, steps));
  const copy = await copyOf(growing);
  onTestFinished(copy.drop);
  return copy;
}

describe('from every migration', () => {
  test.each(PREFIXES)('a database at $name is migrated with all its rows', async ({ steps }) => {
    const database = await databaseAfter(steps);
    const { url } = database;
    const before = await withDatabase(url, async (client) => {
      await populate(client, secretsOf(Buffer.alloc(32)));
      return rowsIn(client);
    });
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    await joinNodes(database);
    const applied = await applyMigrations(url, migrations);
    expect(applied.length).toBe(migrations.length - steps);
    await withDatabase(url, async (client) => {
      expect(await schemaOf(client)).toEqual(whole);
      expect(lostOf(before, await rowsIn(client))).toEqual([]);
    });
  });
});
