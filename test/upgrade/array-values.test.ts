import { expect, test } from 'vitest';
import { applyEarlierMigrations, applyMigrations } from '#platform/database/migrate/migrate.ts';
import { migrations } from '#registry/migrations.ts';
import { newDatabase, withDatabase } from '../operations/backup.support.ts';

const STEP = '20261130171000_array_values';

test('a tag that was stored as no value is the word null again', async () => {
  const url = await newDatabase();
  const before = migrations.findIndex(({ name }) => name === STEP);
  await applyEarlierMigrations(url, migrations.slice(0, before));
  await withDatabase(url, async (client) => {
    const { rows } = await client.query(
      `insert into sub_accounts
         (id, location_id, name, timezone, currency, locale, sandbox, created_at, updated_at)
       values (new_id(), 'one', 'One', 'UTC', 'USD', 'en', false, now(), now()) returning id`,
    );
    for (const tags of [['a', null], ['b']]) {
      await client.query(
        `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage, tags,
           created_at, updated_at)
         values ($1, new_id(), 'Ada', '', 'lead', $2, now(), now())`,
        [rows[0].id, tags],
      );
    }
  });
  await applyMigrations(url, migrations);
  await withDatabase(url, async (client) => {
    const { rows } = await client.query('select tags, tag_keys from contacts order by tags');
    expect(rows).toEqual([
      { tags: ['a', 'null'], tag_keys: ['a', 'null'] },
      { tags: ['b'], tag_keys: ['b'] },
    ]);
  });
});
