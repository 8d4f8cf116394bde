import { openDryRunDatabase } from '#platform/database/dry-run.ts';
import { expect, test } from '../../support/service.ts';

const SHADOW = [
  'create temporary table contacts as select * from contacts with no data',
  'create temporary table contact_emails (email text)',
];

test('a dry run database accepts writes to its own tables and keeps none', async ({ service }) => {
  const shadow = openDryRunDatabase(service.database, SHADOW);
  await shadow.rows(`insert into contact_emails values ('ada@example.com')`);
  expect(await shadow.rows('select * from contact_emails')).toHaveLength(1);
  await shadow.close();
  expect(await service.database.rows('select * from contact_emails')).toEqual([]);
});

test('a dry run database rejects all other writes', async ({ service }) => {
  const shadow = openDryRunDatabase(service.database, SHADOW);
  await expect(shadow.rows('delete from outbox')).rejects.toThrow('read-only transaction');
  await expect(shadow.rows('delete from public.contacts')).rejects.toThrow('read-only transaction');
  await shadow.close();
});

test('a dry run database whose session is lost is recreated with the same tables and rights', async ({
  service,
}) => {
  const shadow = openDryRunDatabase(service.database, SHADOW);
  const [session] = await shadow.rows<{ pid: number }>('select pg_backend_pid() as pid');
  await service.database.rows('select pg_terminate_backend($1::int)', [session?.pid]);
  await expect
    .poll(() => shadow.rows('select * from contact_emails').catch(() => 'away'))
    .toEqual([]);
  await expect(shadow.rows('delete from outbox')).rejects.toThrow('read-only transaction');
  await shadow.close();
});
