import type { Service } from '../../src/commands/server/open-service.ts';

/** Runs inserts with the parameters `values` without checking that the records they refer to exist. */
export async function insertUnchecked(
  { database }: Pick<Service, 'database'>,
  values: readonly unknown[],
  inserts: readonly string[],
): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const text of inserts) {
      await client.query(text, [...values]);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}
