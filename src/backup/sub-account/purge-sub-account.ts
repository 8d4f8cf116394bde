import type { Client } from 'pg';
import { Fault, orNotFound } from '#core/fault.ts';
import {
  collectAnnouncementsOf,
  passOnAnnouncements,
} from '#platform/database/cluster/relay-notices.ts';
import { MIGRATIONS_LOCK, withClient } from '#platform/database/migrate/schema-state.ts';
import type { Write } from '#platform/database/work/deferred-writes.ts';
import { DELETE_JOBS_OF_SUB_ACCOUNT } from '#platform/queue/private-tables.ts';
import { inPurgeOrder, ownedOf, OWNERS, ownerOf, quoted, tablesOf } from '../catalogue.ts';
import { raceError } from '../explain.ts';
import type { TableHead } from '../format.ts';
import { askerOf, prepareToCopy, type Ask } from '../session.ts';

/**
 * Deletes all rows and jobs of a closed sub-account. Interrupted, it continues with the next call. Throws a
 * Fault if the sub-account is open or does not exist.
 */
export const purgeSubAccount = (url: string, subAccountId: string, audit: Write): Promise<void> =>
  withClient(url, async (client) => {
    const ask = askerOf(client);
    collectAnnouncementsOf(client);
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
    try {
      const tables = ownedOf(await tablesOf(ask));
      await deleteInSteps(client, ask, tables, subAccountId);
      await client.query('begin');
      await prepareToCopy(client);
      await requireClosed(ask, subAccountId);
      // What was added since then.
      await deleteRows(ask, tables, subAccountId);
      await ask(`delete from ${OWNERS} where id = $1`, [subAccountId]);
      await ask(audit.text, audit.values);
      await passOnAnnouncements(client);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw raceError(error);
    }
  });

/** Deletes the jobs and the rows of each table in a transaction of its own, so that no lock is kept for long. */
async function deleteInSteps(
  client: Client,
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  const step = async (text: string): Promise<void> => {
    await client.query('begin');
    await prepareToCopy(client);
    await requireClosed(ask, subAccountId);
    await client.query(text, [subAccountId]);
    await passOnAnnouncements(client);
    await client.query('commit');
  };
  await step(DELETE_JOBS_OF_SUB_ACCOUNT);
  for (const { table } of await inPurgeOrder(ask, tables)) {
    if (table !== OWNERS) {
      await step(deleteFrom(table));
    }
  }
}

const deleteFrom = (table: string): string =>
  `delete from ${quoted(table)} where ${ownerOf(table)} = $1`;

async function requireClosed(ask: Ask, subAccountId: string): Promise<void> {
  const [found] = await ask<{ isClosed: boolean }>(
    `select deleted_at is not null as "isClosed" from ${OWNERS} where id = $1 for update`,
    [subAccountId],
  );
  if (!orNotFound(found, 'sub-account').isClosed) {
    throw notClosed(subAccountId);
  }
}

export const notClosed = (subAccountId: string): Fault =>
  new Fault(
    'VALIDATION_ERROR',
    `the sub-account ${subAccountId} is open: close it first with frontdesk admin sub-account delete`,
  );

/** Deletes the rows and jobs of a sub-account, except its own row. */
export async function deleteRows(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  await ask(DELETE_JOBS_OF_SUB_ACCOUNT, [subAccountId]);
  for (const { table } of tables.toReversed()) {
    if (table !== OWNERS) {
      await ask(deleteFrom(table), [subAccountId]);
    }
  }
}
