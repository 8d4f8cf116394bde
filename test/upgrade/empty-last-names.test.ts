import { expect, test } from 'vitest';
import { applyEarlierMigrations, applyMigrations } from '#platform/database/migrate/migrate.ts';
import { migrations } from '#registry/migrations.ts';
import { newDatabase, withDatabase } from '../operations/backup.support.ts';

const STEP = '20261123010000_empty_last_names';

const ROWS: readonly (readonly [lastName: string, source: string | null, after: string])[] = [
  ['–', 'sms', ''],
  ['–', 'live_chat', ''],
  ['–', 'form', ''],
  ['–', 'workflow', ''],
  ['–', null, '–'],
  ['–', 'booking', '–'],
  ['-', 'sms', '-'],
  ['Lovelace', 'sms', 'Lovelace'],
];

test('a dash is emptied only if Frontdesk generated it', async () => {
  const url = await newDatabase();
  const before = migrations.findIndex(({ name }) => name === STEP);
  await applyEarlierMigrations(url, migrations.slice(0, before));
  await withDatabase(url, async (client) => {
    const { rows } = await client.query(
      `insert into sub_accounts
         (id, location_id, name, timezone, currency, locale, sandbox, created_at, updated_at)
       values (new_id(), 'one', 'One', 'UTC', 'USD', 'en', false, now(), now()) returning id`,
    );
    for (const [index, [lastName, source]] of ROWS.entries()) {
      await client.query(
        `insert into contacts (sub_account_id, id, first_name, last_name, source, lifecycle_stage,
           created_at, updated_at)
         values ($1, new_id(), $4, $2, $3, 'lead', now(), now())`,
        [rows[0].id, lastName, source, String(index)],
      );
    }
  });
  await applyMigrations(url, migrations);
  await withDatabase(url, async (client) => {
    const { rows } = await client.query('select last_name from contacts order by first_name');
    expect(rows.map((row) => row.last_name)).toEqual(ROWS.map(([, , after]) => after));
  });
});

test('the names are emptied before a migration locks a table against reading', async () => {
  const url = await newDatabase();
  const released = migrations.filter(({ name }) => name < '20261123');
  await applyEarlierMigrations(url, released);
  const last = migrations.findIndex(({ name }) => name.endsWith('empty_last_names'));
  await withDatabase(url, async (client) => {
    await client.query('begin');
    for (const { statements } of migrations.slice(released.length, last + 1)) {
      for (const statement of statements) {
        await client.query(statement);
      }
    }
    const { rows } = await client.query(
      `select relation::regclass::text from pg_locks
       where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and relation is not null`,
    );
    await client.query('rollback');
    expect(rows).toEqual([]);
  });
});
