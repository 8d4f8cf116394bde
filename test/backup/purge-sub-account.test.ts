import { inject } from 'vitest';
import { purgeSubAccount } from '../../src/backup/sub-account/purge-sub-account.ts';
import { expect, test, type TestService } from '../support/service.ts';

const CONTACTS = 3_000;

const AUDIT = { text: 'select 1', values: [] };

async function addContacts({ database, subAccountId }: TestService): Promise<void> {
  await database.rows(
    `with added as (
       insert into contacts (sub_account_id, id, first_name, last_name, email, lifecycle_stage,
         created_at, updated_at)
       select $1, new_id(), 'Guest', n::text, n || '@example.com', 'lead', now(), now()
       from generate_series(1, ${CONTACTS}) as n
       returning *
     )
     insert into contact_emails (sub_account_id, email, contact_id)
     select sub_account_id, email, id from added`,
    [subAccountId],
  );
}

async function close({ database, subAccountId }: TestService): Promise<void> {
  await database.rows('update sub_accounts set deleted_at = now() where id = $1', [subAccountId]);
}

const isThere = async ({ database, subAccountId }: TestService): Promise<boolean> => {
  const found = await database.rows('select from sub_accounts where id = $1', [subAccountId]);
  return found.length > 0;
};

// The rows of a cluster are in other tables.
test.skipIf(inject('nodeUrls').length > 0)(
  'a purge reads rows that refer to contacts once, not per contact',
  async ({ service }) => {
    await addContacts(service);
    await close(service);
    await purgeSubAccount(service.databaseUrl, service.subAccountId, AUDIT);
    expect(await isThere(service)).toBe(false);
    const readRows = async (): Promise<number> => {
      const [found] = await service.database.rows<{ reads: number }>(
        `select sum(idx_tup_read + seq_tup_read)::int as reads
       from pg_stat_user_tables join pg_stat_user_indexes using (relid)
       where pg_stat_user_tables.relname = 'contact_emails'`,
      );
      return found?.reads ?? 0;
    };
    // The statistics of a connection are there shortly after it has ended.
    await expect.poll(readRows, { timeout: 60_000 }).toBeGreaterThanOrEqual(CONTACTS);
    expect(await readRows()).toBeLessThan(20 * CONTACTS);
  },
);

test('a purge that was interrupted is completed by the next', async ({ service }) => {
  await addContacts(service);
  await close(service);
  const broken = { text: 'select 1 / 0', values: [] };
  const purge = (audit: typeof AUDIT) =>
    purgeSubAccount(service.databaseUrl, service.subAccountId, audit);
  await expect(purge(broken)).rejects.toThrow('division by zero');
  expect(await isThere(service)).toBe(true);
  await purge(AUDIT);
  expect(await isThere(service)).toBe(false);
});

test('a purge of a sub-account that another one erased says that it does not exist', async ({
  service,
}) => {
  await close(service);
  const purge = () => purgeSubAccount(service.databaseUrl, service.subAccountId, AUDIT);
  await purge();
  await expect(purge()).rejects.toThrow('sub-account not found');
});
