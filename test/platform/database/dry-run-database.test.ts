import { openDryRunDatabase } from '#platform/database/dry-run-database.ts';
import { expect, test } from '../../support/service.ts';

const SHADOW = [
  'create temporary table contacts as select * from contacts with no data',
  'create temporary table contact_emails (email text)',
];

test('a shadow takes writes for its own tables, and none of them lasts', async ({ service }) => {
  const shadow = openDryRunDatabase(service.database, SHADOW);
  await shadow.rows(`insert into contact_emails values ('ada@example.com')`);
  expect(await shadow.rows('select * from contact_emails')).toHaveLength(1);
  await shadow.close();
  expect(await service.database.rows('select * from contact_emails')).toEqual([]);
});

test('a shadow lets nothing else be written', async ({ service }) => {
  const shadow = openDryRunDatabase(service.database, SHADOW);
  await expect(shadow.rows('delete from outbox')).rejects.toThrow('read-only transaction');
  await expect(shadow.rows('delete from public.contacts')).rejects.toThrow('read-only transaction');
  await shadow.close();
});

test('a shadow whose session is lost comes back with the same tables and as little power', async ({
  service,
}) => {
  const shadow = openDryRunDatabase(service.database, SHADOW);
  const [session] = await shadow.rows<{ pid: number }>('select pg_backend_pid() as pid');
  await service.database.rows('select pg_terminate_backend($1)', [session?.pid]);
  await expect
    .poll(() => shadow.rows('select * from contact_emails').catch(() => 'away'))
    .toEqual([]);
  await expect(shadow.rows('delete from outbox')).rejects.toThrow('read-only transaction');
  await shadow.close();
});
