import { DELETE_JOBS_OF_SUB_ACCOUNT } from '#platform/queue/private-tables.ts';
import { Fault } from '#core/fault.ts';
import {
  collectAnnouncementsOf,
  passOnAnnouncements,
} from '#platform/database/cluster/relay-notices.ts';
import { MIGRATIONS_LOCK, withClient } from '#platform/database/migrate/schema-state.ts';
import type { Write } from '#platform/database/work/deferred-writes.ts';
import { ownedOf, OWNERS, tablesOf, ownerOf, quoted } from '../catalogue.ts';
import { raceError } from '../explain.ts';
import type { TableHead } from '../format.ts';
import { askerOf, prepareToCopy, type Ask } from '../session.ts';

/** Deletes all rows and jobs of a closed sub-account in one transaction. Throws a Fault if it is open. */
export const purgeSubAccount = (url: string, subAccountId: string, audit: Write): Promise<void> =>
  withClient(url, async (client) => {
    const ask = askerOf(client);
    collectAnnouncementsOf(client);
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
    try {
      await client.query('begin');
      await prepareToCopy(client);
      await requireClosed(ask, subAccountId);
      await deleteRows(ask, ownedOf(await tablesOf(ask)), subAccountId);
      await ask(`delete from ${OWNERS} where id = $1`, [subAccountId]);
      await ask(audit.text, audit.values);
      await passOnAnnouncements(client);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw raceError(error);
    }
  });

async function requireClosed(ask: Ask, subAccountId: string): Promise<void> {
  const [found] = await ask<{ isClosed: boolean }>(
    `select deleted_at is not null as "isClosed" from ${OWNERS} where id = $1 for update`,
    [subAccountId],
  );
  if (!found?.isClosed) {
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
      await ask(`delete from ${quoted(table)} where ${ownerOf(table)} = $1`, [subAccountId]);
    }
  }
}
