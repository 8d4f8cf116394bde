import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import { withDatabase } from '../operations/backup.support.ts';
import { copyOf, createDatabase, type TestDatabase } from '../support/database.ts';
import { populate } from '../support/populate/populate.ts';
import { schemaOf } from '../support/schema-of.ts';
import { lostOf, rowsIn } from './rows.ts';

const PREFIXES = migrations.map(({ name }, index) => ({ name, steps: index + 1 }));

let whole: readonly string[];
/** Grows by one migration with each test, which takes a copy of it. */
let growing: TestDatabase;
beforeAll(async () => {
  growing = await createDatabase('empty');
  const fresh = await createDatabase('migrated');
  whole = await withDatabase(fresh.url, schemaOf);
  await fresh.drop();
});
afterAll(() => growing.drop());

async function databaseAfter(steps: number): Promise<string> {
  await applyMigrations(growing.url, migrations.slice(0, steps));
  const copy = await copyOf(growing);
  onTestFinished(copy.drop);
  return copy.url;
}

describe('from every migration', () => {
  test.each(PREFIXES)('a database at $name is migrated with all its rows', async ({ steps }) => {
    const url = await databaseAfter(steps);
    const before = await withDatabase(url, async (client) => {
      await populate(client, secretsOf(Buffer.alloc(32)));
      return rowsIn(client);
    });
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    const applied = await applyMigrations(url, migrations);
    expect(applied.length).toBe(migrations.length - steps);
    await withDatabase(url, async (client) => {
      expect(await schemaOf(client)).toEqual(whole);
      expect(lostOf(before, await rowsIn(client))).toEqual([]);
    });
  });
});
