import type { DryRun } from '#core/job.ts';
import { entityManagers } from '#platform/database/orm.ts';
import { openDryRunDatabase } from '#platform/database/dry-run.ts';
import { transactor } from '#platform/database/work/transact.ts';
import type { Service } from './open-service.ts';

/**
 * Runs work with the same outcome as real work, on temporary copies that `tables` create. Nothing reacts
 * to the events: reactions write to other tables.
 */
export function openDryRun(
  { database, openView, clock }: Pick<Service, 'database' | 'openView' | 'clock'>,
  tables: readonly string[],
): DryRun {
  const dryRunDatabase = openDryRunDatabase(database, tables);
  const transact = transactor({
    database: dryRunDatabase,
    entityManagers: entityManagers(),
    reactions: [],
    openView,
    clock,
    onEvents: () => undefined,
  });
  return { transact, close: dryRunDatabase.close };
}
