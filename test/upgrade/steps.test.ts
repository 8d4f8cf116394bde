import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { applyEarlierMigrations, applyMigrations } from '#platform/database/migrate/migrate.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { withDatabase } from '../operations/backup.support.ts';
import { copyOf, createDatabase, joinNodes, type TestDatabase } from '../support/database.ts';
import { populate } from '../support/populate/populate.ts';
import { schemaOf } from '../support/schema-of.ts';
import { lostOf, rowsIn, type Rows } from './rows.ts';

const ON_CLUSTER = inject('nodeUrls').length > 0;
/** Starting from every migration would take ten times as long, and half an hour on a cluster. */
const APART = 10;
const STEPS = migrations.map(({ name }, index) => ({ name, steps: index + 1 }));

const SECRETS = secretsOf(Buffer.alloc(32));

describe('one migration after the other', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase('plain');
  });
  afterAll(() => database.drop());

  /** Each test continues with the rows of those before it, so they run together or not at all. */
  let rows: Rows = {};
  // Earlier migrations distribute nothing, so a cluster would repeat the same.
  test.skipIf(ON_CLUSTER).each(STEPS)('$name loses no row of any release', async ({ steps }) => {
    const applied = await applyEarlierMigrations(database.url, migrations.slice(0, steps));
    expect(applied.length).toBe(1);
    await withDatabase(database.url, async (client) => {
      expect(lostOf(rows, await rowsIn(client))).toEqual([]);
      await populate(client, SECRETS);
      rows = await rowsIn(client);
    });
    expect(Object.values(rows).filter((found) => found.length === 0)).toEqual([]);
  });
});

describe('all migrations at once', () => {
  /** Grows with each test, which takes a copy of it. */
  let growing: TestDatabase;
  let whole: readonly string[];
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

  const some = STEPS.filter(({ steps }) => steps % APART === 0);
  test.each(some)('a database at $name is migrated with all its rows', async ({ steps }) => {
    const database = await databaseAfter(steps);
    const { url } = database;
    const before = await withDatabase(url, async (client) => {
      await populate(client, SECRETS);
      return rowsIn(client);
    });
    await joinNodes(database);
    const applied = await applyMigrations(url, migrations);
    expect(applied.length).toBe(migrations.length - steps);
    await withDatabase(url, async (client) => {
      expect(await schemaOf(client)).toEqual(whole);
      expect(lostOf(before, await rowsIn(client))).toEqual([]);
    });
  });
});
