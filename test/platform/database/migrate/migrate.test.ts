import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { applyMigrations } from '#platform/database/migrate/migrate.ts';
import { defineMigration } from '#platform/database/migrate/migration.ts';
import { MIGRATIONS_LOCK } from '#platform/database/migrate/schema-state.ts';
import { newDatabase, withDatabase } from '../../../operations/backup.support.ts';
import { WAITING_FOR_ME } from '../../../support/locks.ts';

const WAITING = 'select from pg_locks where not granted';

test('a migration waits for a backup, and takes long, whatever the time limits of the role', async () => {
  const url = await newDatabase();
  await withDatabase(url, async (backup) => {
    const [{ name = '' } = {}] = (await backup.query('select current_database() as name')).rows;
    await backup.query(`alter database "${name}" set statement_timeout = '300ms'`);
    await backup.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
    const migrating = applyMigrations(url, [
      defineMigration('1_step', ['select pg_sleep(0.6)', 'create table first (id int)']),
    ]);
    await backup.query('select pg_sleep(0.6)');
    await expect.poll(async () => (await backup.query(WAITING_FOR_ME)).rowCount).toBe(1);
    await backup.query('select pg_advisory_unlock_shared($1)', [MIGRATIONS_LOCK]);
    expect(await migrating).toEqual(['1_step']);
  });
});

test('a migration that loses a deadlock against a running server is retried', async () => {
  const url = await newDatabase();
  await withDatabase(url, async (server) => {
    await server.query('create table first (id int); create table second (id int)');
    // PostgreSQL ends the session that looks for a deadlock first: never this one.
    await server.query(`set deadlock_timeout = '10 min'`);
    await server.query('begin; insert into first values (1)');
    const migrating = applyMigrations(url, [
      defineMigration('1_step', ['alter table second add n int', 'alter table first add n int']),
    ]);
    await withDatabase(url, async (client) => {
      while ((await client.query(WAITING)).rowCount === 0) {
        await sleep(20);
      }
    });
    await server.query('insert into second values (1)');
    await server.query('commit');
    expect(await migrating).toEqual(['1_step']);
  });
});
