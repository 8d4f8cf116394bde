import { Fault } from '#core/fault.ts';
import type { Write } from '#platform/database/work/deferred-writes.ts';
import { MIGRATIONS_LOCK, withClient } from '#platform/database/migrate/schema-state.ts';
import { ownedOf, OWNERS, tablesOf, type Ask } from '../catalogue.ts';
import { forgetRows } from './forget-rows.ts';
import { raceError } from '../explain.ts';
import { PATIENT } from '../session.ts';

/** Removes every row and every job of a sub-account that is closed, all of them or none. */
export const purgeSubAccount = (url: string, subAccountId: string, audit: Write): Promise<void> =>
  withClient(url, async (client) => {
    const ask: Ask = async (text, values = []) =>
      (await client.query(text, values as unknown[])).rows;
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
    try {
      await client.query('begin');
      await client.query(PATIENT);
      await requireClosed(ask, subAccountId);
      await forgetRows(ask, ownedOf(await tablesOf(ask)), subAccountId);
      await ask(`delete from ${OWNERS} where id = $1`, [subAccountId]);
      await ask(audit.text, audit.values);
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
    `the sub-account ${subAccountId} is open: close it with frontdesk admin sub-account delete, then purge it`,
  );
