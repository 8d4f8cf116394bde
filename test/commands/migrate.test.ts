import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '#registry/migrations.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { frontdesk, newKey } from '../support/frontdesk.ts';

const names = migrations.map(({ name }) => name);
const key = newKey();

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('empty');
});
afterAll(() => database.drop());

const migrate = async (args: readonly string[], secretKey = key) => {
  const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: secretKey };
  const { code, stdout, stderr } = await frontdesk(['migrate', ...args, '--json'], variables);
  return { code, json: stdout === '' ? undefined : JSON.parse(stdout), stderr };
};

describe('migrate', () => {
  test('--check and --dry-run list pending migrations and apply nothing', async () => {
    expect(await migrate(['--check'])).toMatchObject({
      code: 1,
      json: { applied: [], pending: names },
    });
    expect(await migrate(['--dry-run'])).toMatchObject({
      code: 0,
      json: { applied: [], pending: names },
    });
  });

  test('serve, worker and admin refuse a database with pending migrations', async () => {
    const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: key };
    for (const args of [['serve', '--port', '0'], ['worker'], ['admin', 'key', 'list']]) {
      const { code, stdout, stderr } = await frontdesk(args, variables);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`the database lacks ${names.length} migration(s)`);
      expect(stderr).toContain('run frontdesk migrate');
    }
  });

  test('applies each migration once, even if two processes migrate', async () => {
    const both = await Promise.all([migrate([]), migrate([])]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.flatMap(({ json }) => json.applied)).toEqual(names);
    expect(await migrate([])).toMatchObject({ code: 0, json: { applied: [], pending: [] } });
    expect(await migrate(['--check'])).toMatchObject({ code: 0, json: { pending: [] } });
  });

  test('the first key is the key of the database; every command refuses another', async () => {
    const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
    const lines = [
      ['migrate'],
      ['migrate', '--dry-run'],
      ['serve', '--port', '0'],
      ['worker'],
      ['admin', 'key', 'list'],
    ];
    for (const args of lines) {
      const { code, stdout, stderr } = await frontdesk(args, variables);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^frontdesk: FRONTDESK_SECRET_KEY is not the key of this database/);
    }
  });

  test('migrate stores the key of a database without one', async () => {
    const empty = await createDatabase('migrated');
    const variables = { DATABASE_URL: empty.url, FRONTDESK_SECRET_KEY: key };
    const { stderr } = await frontdesk(['serve', '--port', '0'], variables);
    expect(stderr).toContain('is not bound to a FRONTDESK_SECRET_KEY yet: run frontdesk migrate');
    expect((await frontdesk(['migrate'], variables)).code).toBe(0);
    expect((await frontdesk(['admin', 'key', 'list', '--json'], variables)).stdout).toBe('[]\n');
    await empty.drop();
  });
});
